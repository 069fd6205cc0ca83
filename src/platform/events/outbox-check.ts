import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Check, ok, warning } from '../doctor/check.js';
import { Outbox } from './outbox.js';

/** Longer than the longest delay between two tries. */
const MAX_WAIT_MS = 600_000;

/** Whether events reach their subscribers. */
@Injectable()
export class OutboxCheck extends Check {
  readonly name = 'events';
  readonly needs = 'tables';

  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run() {
    const { subscribers } = this.outbox;
    const stuck = (await this.outbox.backlog()).filter(
      ({ subscriber, failing, since }) =>
        failing > 0 || this.clock.now() - since > MAX_WAIT_MS || !subscribers.includes(subscriber),
    );
    if (stuck.length === 0) return [ok('No event waits too long.')];
    return stuck.map(({ subscriber, waiting, since, problem }) => {
      const why = problem === null ? '' : ` It failed: ${problem}.`;
      const wait = waiting === 1 ? 'event waits' : 'events wait';
      const what = `${waiting} ${wait} for "${subscriber}", since ${new Date(since).toISOString()}.${why}`;
      const drop = `petstore events drop ${subscriber}`;
      return subscribers.includes(subscriber)
        ? warning(what, `Fix the subscriber, or drop its events: ${drop}`)
        : warning(`${what} No module of this version subscribes by that name.`, `If none will: ${drop}`);
    });
  }
}
