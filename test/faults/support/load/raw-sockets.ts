import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { SECRET } from './caller.js';

/** What a client may leave a connection in. Each text is sent, and then nothing more. */
export const UNFINISHED = {
  'nothing sent': '',
  'half of the headers': 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX-Half:',
  'half of a body':
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${SECRET}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":',
} as const;

/** What asks for much. */
export const LARGE = 'GET /docs/search.json HTTP/1.1\r\nHost: a\r\n\r\n';

/** A connection that was used once and is kept. */
export const IDLE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

/** A connection on which something was sent. */
export class RawSocket {
  /** When it was closed by the service, in ms since it was opened. */
  readonly closed: Promise<number>;

  private constructor(
    private readonly socket: Socket,
    reads: boolean,
  ) {
    const opened = performance.now();
    socket.on('error', () => undefined);
    if (reads) socket.resume();
    this.closed = new Promise((resolve) => socket.once('close', () => resolve(performance.now() - opened)));
  }

  static async open(
    port: number,
    text: string,
    { from = '127.0.0.1', reads = true } = {},
  ): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const raw = new RawSocket(socket, reads);
    await once(socket, 'connect');
    if (text) socket.write(text);
    return raw;
  }

  /** Who does not read learns only by this that the connection is gone. */
  send(text: string): void {
    this.socket.write(text);
  }

  destroy(): void {
    this.socket.destroy();
  }
}
