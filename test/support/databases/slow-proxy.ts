import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy between the service and a server; it delays each chunk of the server's responses separately. */
export class SlowProxy {
  readonly #sockets = new Set<Socket>();
  /** The number of client connections so far. */
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** `delay` returns the delay of the next chunk in ms. */
  static async before(target: number, delay: () => number, port = 0): Promise<SlowProxy> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new SlowProxy(server, (server.address() as { port: number }).port);
    server.on('connection', (client) => proxy.#carry(client, connect(target, '127.0.0.1'), delay));
    return proxy;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.server, 'close');
  }

  #carry(client: Socket, upstream: Socket, delay: () => number): void {
    this.connections += 1;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    client.pipe(upstream);
    let last = Promise.resolve();
    upstream.on('data', (piece) => {
      last = last.then(() => sleep(delay())).then(() => void client.write(piece));
    });
  }
}
