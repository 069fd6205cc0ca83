import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Check, ok, warning } from '../../doctor/check.js';
import { DeprecatedOperations } from './deprecated-operations.js';
import { DailyUsageRepository } from './daily-usage-repository.js';
import { DAY, dayOf, DeprecationPolicy } from './deprecation.js';

/** Days before its removal from which on the use of an operation is worth a warning. */
const NEAR = 90;
/** Days for which a use counts as one of today. */
const RECENT = 30;

/** Whether somebody still uses what is about to be removed, or is gone. */
@Injectable()
export class DeprecationsCheck extends Check {
  readonly name = 'deprecations';
  readonly needs = 'tables';

  constructor(
    private readonly deprecated: DeprecatedOperations,
    private readonly policy: DeprecationPolicy,
    private readonly uses: DailyUsageRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async look() {
    const uses = await this.uses.since(dayOf(this.clock.now() - RECENT * DAY));
    const missed = this.deprecated.all().flatMap(({ name, deprecation }) => {
      const keys = uses.filter(({ operation }) => operation === name).length;
      const gone = this.policy.isGone(deprecation);
      if (keys === 0 || (!gone && this.policy.daysLeft(deprecation) >= NEAR)) return [];
      const end = gone ? 'is gone' : `is due to be removed on ${deprecation.sunset}`;
      const who = `${keys} ${keys === 1 ? 'key' : 'keys'} used it in the last ${RECENT} days`;
      return [warning(`${name} ${end}, and ${who}.`, 'Tell them: petstore deprecations report')];
    });
    return missed.length > 0 ? missed : [ok('Nobody uses what is gone or will be soon.')];
  }
}
