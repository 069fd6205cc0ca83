import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { type Outcome, outcomeOfFailure, outcomeOfReply, Tally } from './tally.js';

interface Sample {
  readonly isWrite: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** In ms: the pause after a rejection of clients that only write. It is too short for real clients, but keeps the test short. */
const PAUSE_AFTER_REFUSAL = 20;

const isAcknowledged = ({ isWrite, outcome }: Sample) => isWrite && outcome.what === '201';

/** Clients that add pets, each with a unique name, and record every outcome with its times. */
export class Traffic {
  /** The names of the pets that were acknowledged, by id. */
  readonly acknowledged = new Map<number, string>();
  readonly #begun = performance.now();
  readonly #samples: Sample[] = [];
  readonly #clients: Promise<void>[];
  #stopped = false;
  static #started = 0;

  private constructor(
    callers: readonly Caller[],
    clients: number,
    private readonly pause: number,
    private readonly reads: boolean,
  ) {
    const name = (Traffic.#started += 1);
    this.#clients = callers.flatMap((caller, i) =>
      Array.from({ length: clients }, (_, k) => this.#run(caller, k, `${name}-${i}-${k}`)),
    );
  }

  /** Starts `clients` clients per caller at once, which write and read by turns. `pause` is in ms, after each response. */
  static start(callers: readonly Caller[], clients: number, pause: number): Traffic {
    return new Traffic(callers, clients, pause, true);
  }

  /** The same, but they only write. */
  static startWrites(callers: readonly Caller[], clients: number, pause = 0): Traffic {
    return new Traffic(callers, clients, pause, false);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  /** How many requests have ended. */
  get total(): number {
    return this.#samples.length;
  }

  /** The outcomes of all requests. */
  get tally(): Tally {
    return this.between(0, Number.POSITIVE_INFINITY);
  }

  /** The outcomes of all requests sent between two moments. */
  between(from: number, to: number): Tally {
    const tally = new Tally();
    for (const { sentAt, outcome } of this.#samples) {
      if (sentAt >= from && sentAt <= to) tally.add(outcome);
    }
    return tally;
  }

  /** How many writes were both sent and acknowledged between two moments. */
  acceptedBetween(from: number, to: number): number {
    const within = this.#samples.filter(({ sentAt, endedAt }) => sentAt >= from && endedAt <= to);
    return within.filter(isAcknowledged).length;
  }

  /** The longest time between two acknowledgements to any client, in ms. */
  get longestGap(): number {
    const times = [this.#begun, ...this.#samples.filter(isAcknowledged).map(({ endedAt }) => endedAt)];
    return Math.round(Math.max(...times.map((time, i) => time - times[Math.max(0, i - 1)]!)));
  }

  /** Waits for the first write that is acknowledged after a moment. @returns how long after it, in ms */
  async nextWrite(after: number): Promise<number> {
    for (let next = this.#samples.findLastIndex(({ endedAt }) => endedAt < after) + 1; ;) {
      for (; next < this.#samples.length; next++) {
        const sample = this.#samples[next]!;
        if (isAcknowledged(sample)) return Math.round(sample.endedAt - after);
      }
      if (this.#stopped) throw new Error('The traffic was stopped before a write was acknowledged.');
      await sleep(5);
    }
  }

  async #run(caller: Caller, client: number, name: string): Promise<void> {
    for (let i = client; !this.#stopped; i++) {
      const isWrite = !this.reads || i % 2 === 0;
      const pet = { name: `${name}-${i}`, categoryId: 7 };
      const sentAt = performance.now();
      const answer = isWrite ? caller.post('/v1/pets', pet) : caller.get('/v1/pets?limit=5');
      const reply = await answer.catch((error: unknown) => ({ error }));
      const outcome = 'error' in reply ? outcomeOfFailure(reply.error) : outcomeOfReply(reply);
      const sample = { isWrite, sentAt, endedAt: performance.now(), outcome };
      this.#samples.push(sample);
      if ('text' in reply && isAcknowledged(sample))
        this.acknowledged.set((JSON.parse(reply.text) as { id: number }).id, pet.name);
      else if (!this.reads) await sleep(PAUSE_AFTER_REFUSAL);
      if (this.pause > 0) await sleep(this.pause);
    }
  }
}
