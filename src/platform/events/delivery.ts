import type { Clock } from '../../kernel/clock.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { Outbox } from './outbox.js';
import type { Notice, OutboxRows } from './outbox-rows.js';

const AT_ONCE = 100;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 300_000;

/**
 * Brings notices to their subscribers. Taking a notice and reacting to it are one unit of work: what a reaction stores is
 * stored once, however many replicas deliver and whenever one dies. A notice that fails holds up only its own thing.
 */
export class Delivery {
  constructor(
    private readonly outbox: Outbox,
    private readonly rows: OutboxRows,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly warn: (message: string) => void,
  ) {}

  /** Delivers until nothing is due any more. */
  async deliver(): Promise<void> {
    const { subscribers } = this.outbox;
    if (subscribers.length === 0) return;
    for (;;) {
      const notices = await this.rows.due(subscribers, this.clock.now(), AT_ONCE);
      if (notices.length === 0) return;
      for (const notice of notices) await this.#bring(notice);
    }
  }

  async #bring(notice: Notice): Promise<void> {
    try {
      await this.units.run(async () => {
        const react = this.outbox.reactionOf(notice.subscriber, notice.kind);
        if (!react) throw new Error(`nobody reacts to ${notice.kind} any more`);
        if (await this.rows.take(notice.id)) await react(notice.facts);
      });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const wait = Math.min(FIRST_WAIT * 2 ** notice.failures, LONGEST_WAIT);
      this.warn(
        `"${notice.subscriber}" failed on ${notice.kind} of ${notice.thing}, next try in ${wait} ms: ${problem}`,
      );
      await this.rows.postpone(notice.id, this.clock.now() + wait, problem);
    }
  }
}
