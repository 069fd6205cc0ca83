import { Check, ok, warning } from '../doctor/check.js';
import type { Clock } from '../../kernel/clock.js';
import type { OutboxRows } from './outbox-rows.js';

/** Longer than the longest wait between two tries, in ms. */
const LONG = 600_000;

/** Whether events reach those who react to them. */
export class OutboxCheck extends Check {
  readonly name = 'events';
  readonly needs = 'tables';

  constructor(
    private readonly rows: OutboxRows,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async look() {
    const stuck = (await this.rows.backlog()).filter(
      ({ failing, since }) => failing > 0 || this.clock.now() - since > LONG,
    );
    if (stuck.length === 0) return [ok('No event waits for longer than it should.')];
    return stuck.map(({ subscriber, waiting, since, problem }) => {
      const why = problem === null ? '' : ` It failed: ${problem}.`;
      const wait = waiting === 1 ? 'event waits' : 'events wait';
      const what = `${waiting} ${wait} for "${subscriber}", since ${new Date(since).toISOString()}.${why}`;
      return warning(what, `Mend the subscriber, or give its events up: petstore events drop ${subscriber}`);
    });
  }
}
