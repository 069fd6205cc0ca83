import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Check, ok, warning } from '../doctor/check.js';
import { OutboxRepository } from './outbox-repository.js';

/** Longer than the longest delay between two tries. */
const MAX_WAIT_MS = 600_000;

/** Whether events reach their subscribers. */
@Injectable()
export class OutboxCheck extends Check {
  readonly name = 'events';
  readonly needs = 'tables';

  constructor(
    private readonly messages: OutboxRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async look() {
    const stuck = (await this.messages.backlog()).filter(
      ({ failing, since }) => failing > 0 || this.clock.now() - since > MAX_WAIT_MS,
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
