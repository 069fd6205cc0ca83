import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A proxy between the service and a server on the loopback address. It delays each chunk of the server's responses separately,
 * and ends a connection when either side does.
 */
export class SlowProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#carry(client));
  connections = 0;

  private constructor(
    private readonly target: number,
    private readonly delay: () => number,
  ) {}

  /** `delay` returns the delay of the next chunk in ms. */
  static async before(target: number, delay: () => number, port = 0): Promise<SlowProxy> {
    const proxy = new SlowProxy(target, delay);
    await once(proxy.#server.listen(port, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections. New ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  #carry(client: Socket): void {
    this.connections += 1;
    const upstream = connect(this.target, '127.0.0.1');
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
      last = last
        .then(() => sleep(this.delay(), undefined, { ref: false }))
        .then(() => void client.write(piece));
    });
  }
}
