import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Proxy, startProxy } from './proxy.js';

/** What becomes of a commit: rolled back, though the client is told that it is done; done late; or done again later. */
export type CommitFault = 'dropped' | 'delayed' | 'repeated';

const COM_QUERY = 3;
const HEADER = 4;
const DELAY_MS = 100;
/** By then clients have changed again what the transaction has changed. */
const REPEAT_AFTER_MS = 500;

const queryOf = (text: string): Buffer => {
  const payload = Buffer.from(`${String.fromCodePoint(COM_QUERY)}${text}`);
  const header = Buffer.alloc(HEADER);
  header.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([header, payload]);
};

/** A proxy before MariaDB that keeps its word about only some commits. It reads what clients send as packets of the MySQL protocol. */
export class CommitProxy {
  #proxy: Proxy | undefined;
  /** How many commits had a fault. */
  count = 0;

  private constructor(
    private readonly fault: () => CommitFault | undefined,
    private readonly repeat: (statements: readonly string[]) => void,
  ) {}

  /** @param repeat runs the statements of a transaction again */
  static async before(
    target: number,
    fault: () => CommitFault | undefined,
    repeat: (statements: readonly string[]) => void,
  ): Promise<CommitProxy> {
    const proxy = new CommitProxy(fault, repeat);
    proxy.#proxy = await startProxy(target, (client, upstream) => proxy.#carry(client, upstream));
    return proxy;
  }

  get port(): number {
    return this.#proxy!.port;
  }

  close(): Promise<void> {
    return this.#proxy!.close();
  }

  #carry(client: Socket, upstream: Socket): void {
    upstream.pipe(client);
    let rest = Buffer.alloc(0);
    let sent = Promise.resolve();
    let transaction: string[] = [];
    const pass = async (packet: Buffer) => {
      const text = packet[HEADER] === COM_QUERY && packet[3] === 0 ? packet.toString('utf8', HEADER + 1) : '';
      if (text === 'START TRANSACTION') transaction = [];
      else if (text !== 'COMMIT') transaction.push(text);
      const fault = text === 'COMMIT' ? this.fault() : undefined;
      if (fault !== undefined) this.count += 1;
      if (fault === 'delayed') await sleep(DELAY_MS);
      if (fault === 'repeated') setTimeout(this.repeat, REPEAT_AFTER_MS, transaction);
      upstream.write(fault === 'dropped' ? queryOf('ROLLBACK') : packet);
    };
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const length = rest.length < HEADER ? Number.POSITIVE_INFINITY : HEADER + rest.readUIntLE(0, 3);
        if (rest.length < length) return;
        const packet = rest.subarray(0, length);
        rest = rest.subarray(length);
        sent = sent.then(() => pass(packet));
      }
    });
  }
}
