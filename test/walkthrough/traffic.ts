import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const CLIENTS = 16;

/** Clients of two replicas, which switch to the other one if a replica does not respond or is about to stop. */
export class Traffic {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #statuses = new Map<number, number>();
  #going = true;
  readonly #clients: Promise<void>[];

  constructor(
    private readonly ports: readonly number[],
    private readonly secret: () => string,
    private readonly pet: number,
  ) {
    this.#clients = Array.from({ length: CLIENTS }, (_, i) => this.#client(i));
  }

  /** @returns the number of responses by status */
  async stop(): Promise<Record<number, number>> {
    this.#going = false;
    await Promise.all(this.#clients);
    this.#agent.destroy();
    return Object.fromEntries(this.#statuses);
  }

  async #client(number: number): Promise<void> {
    let i = number;
    while (this.#going) {
      i += 1;
      // Some clients still call getPet, which is deprecated.
      const path = i % 50 === 1 ? `/v1/pets/${this.pet}` : '/v1/pets';
      const status = await this.#ask(i % 5 === 0 ? 'POST' : 'GET', path, i);
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    }
  }

  /** Retries on the other replica; the Idempotency-Key makes the retry of a POST safe. */
  async #ask(method: 'GET' | 'POST', path: string, i: number): Promise<number> {
    const key = crypto.randomUUID();
    for (let tries = 0; ; tries++) {
      const port = this.ports[(i + tries) % this.ports.length]!;
      const status = await this.#send(method, path, port, key).catch(() => undefined);
      if (status !== undefined && status !== 503) return status;
      if (tries > 50) return status ?? 0;
      if (tries % this.ports.length === 1) await sleep(50);
    }
  }

  #send(method: 'GET' | 'POST', path: string, port: number, key: string): Promise<number> {
    const headers = {
      Authorization: `Bearer ${this.secret()}`,
      ...(method === 'POST' && { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers, agent: this.#agent, timeout: 10_000 },
        (answer) => answer.resume().once('end', () => resolve(answer.statusCode!)),
      );
      sent.once('error', reject).once('timeout', () => sent.destroy());
      sent.end(method === 'POST' ? JSON.stringify({ name: 'Rex', categoryId: 7 }) : undefined);
    });
  }
}
