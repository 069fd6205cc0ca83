import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Proxy, startProxy } from './proxy.js';

/** A proxy between the service and a server; it delays each chunk of the server's responses separately. */
export class SlowProxy {
  #proxy: Proxy | undefined;
  /** The number of client connections so far. */
  connections = 0;

  private constructor(private readonly delay: () => number) {}

  /** `delay` returns the delay of the next chunk in ms. */
  static async before(target: number, delay: () => number, port = 0): Promise<SlowProxy> {
    const slow = new SlowProxy(delay);
    slow.#proxy = await startProxy(target, (client, upstream) => slow.#carry(client, upstream), port);
    return slow;
  }

  get port(): number {
    return this.#proxy!.port;
  }

  close(): Promise<void> {
    return this.#proxy!.close();
  }

  #carry(client: Socket, upstream: Socket): void {
    this.connections += 1;
    client.pipe(upstream);
    let last = Promise.resolve();
    upstream.on('data', (piece) => {
      last = last.then(() => sleep(this.delay())).then(() => void client.write(piece));
    });
  }
}
