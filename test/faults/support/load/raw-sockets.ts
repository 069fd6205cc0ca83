import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { SECRET } from './caller.js';

/** Unfinished states in which a client may leave a connection. Each text is sent, and then nothing more. */
export const UNFINISHED = {
  'nothing sent': '',
  'half of the headers': 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX-Half:',
  'half of a body':
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${SECRET}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":',
} as const;

/** A request with a large response. */
export const LARGE = 'GET /docs/search.json HTTP/1.1\r\nHost: a\r\n\r\n';

/** A request after which the connection stays open and idle. */
export const IDLE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

/** A request whose handler never ends, if the service has this route. */
export const HANG = 'GET /hang HTTP/1.1\r\nHost: a\r\n\r\n';

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

  /** A client that does not read notices only when sending that the connection is closed. */
  send(text: string): void {
    this.socket.write(text);
  }

  destroy(): void {
    this.socket.destroy();
  }
}
