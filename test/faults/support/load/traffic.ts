import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, Reply } from './caller.js';
import { Tally } from './tally.js';

type Kind = 'write' | 'read';

interface Sample {
  readonly kind: Kind;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly outcome: Reply | { error: unknown };
}

/** Clients that alternate writes and reads, with a pause after each response, and record every outcome with its times. */
export class Traffic {
  readonly #samples: Sample[] = [];
  readonly #clients: Promise<void>[];
  #stopped = false;

  private constructor(
    callers: readonly Caller[],
    clients: number,
    private readonly pause: number,
  ) {
    this.#clients = callers.flatMap((caller) =>
      Array.from({ length: clients }, (_, i) => this.#run(caller, i)),
    );
  }

  /** Starts `clients` clients per caller at once. `pause` is in ms. */
  static start(callers: readonly Caller[], clients: number, pause: number): Traffic {
    return new Traffic(callers, clients, pause);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  /** The outcomes of all requests sent between two moments. */
  between(from: number, to: number): Tally {
    const tally = new Tally();
    for (const sample of this.#samples) {
      if (sample.sentAt < from || sample.sentAt > to) continue;
      if ('error' in sample.outcome) tally.failure(sample.outcome.error);
      else tally.reply(sample.outcome);
    }
    return tally;
  }

  /** How many writes were both sent and acknowledged between two moments. */
  acknowledged(from: number, to: number): number {
    return this.#samples.filter(
      ({ kind, sentAt, endedAt, outcome }) =>
        kind === 'write' && sentAt >= from && endedAt <= to && 'status' in outcome && outcome.status === 201,
    ).length;
  }

  /** Waits for the first write that is acknowledged after a moment. @returns how long after it, in ms */
  async nextWrite(after: number): Promise<number> {
    for (;;) {
      const found = this.#samples.find(
        ({ kind, endedAt, outcome }) =>
          kind === 'write' && endedAt >= after && 'status' in outcome && outcome.status === 201,
      );
      if (found) return Math.round(found.endedAt - after);
      if (this.#stopped) throw new Error('The traffic was stopped before a write was acknowledged.');
      await sleep(5);
    }
  }

  async #run(caller: Caller, client: number): Promise<void> {
    for (let i = client; !this.#stopped; i++) {
      const kind: Kind = i % 2 ? 'read' : 'write';
      const sentAt = performance.now();
      const answer =
        kind === 'read'
          ? caller.get('/v1/pets?limit=5')
          : caller.post('/v1/pets', { name: `${client}-${i}`, categoryId: 7 });
      const outcome = await answer.catch((error: unknown) => ({ error }));
      this.#samples.push({ kind, sentAt, endedAt: performance.now(), outcome });
      await sleep(this.pause);
    }
  }
}
