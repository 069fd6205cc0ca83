import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Check, ok, warning } from '../../doctor/check.js';
import { DailyUsageRepository } from './daily-usage-repository.js';
import { DAY_MS, dayOf, type DeprecatedOperation, DeprecatedOperations } from './deprecation.js';

/** A deprecated operation, and who still uses it. Days are in UTC, times in RFC 3339. */
export interface ReportedOperation extends Pick<
  DeprecatedOperation,
  'method' | 'path' | 'sunset' | 'daysLeft' | 'gone'
> {
  readonly operation: string;
  /** The latest first. `name` is null for a key that is not there any more. */
  readonly callers: readonly { keyId: string; name: string | null; uses: number; lastUsedAt: string }[];
}

/** Reports who still calls what will be removed. */
@Injectable()
export class UsageReport {
  constructor(
    private readonly deprecated: DeprecatedOperations,
    private readonly usage: DailyUsageRepository,
  ) {}

  /** Every deprecated operation, the next to be removed first. Uses count from the day `since` on, as `YYYY-MM-DD`. */
  async since(since: string, names: ReadonlyMap<string, string> = new Map()): Promise<ReportedOperation[]> {
    const usage = await this.usage.since(since);
    return this.deprecated
      .all()
      .map(({ name: operation, method, path, sunset, daysLeft, gone }) => {
        const callers = usage
          .filter((use) => use.operation === operation)
          .map(({ keyId, uses, lastUsedAt }) => ({
            keyId,
            name: names.get(keyId) ?? null,
            uses,
            lastUsedAt: new Date(lastUsedAt).toISOString(),
          }));
        return { operation, method, path, sunset, daysLeft, gone, callers };
      })
      .sort((one, other) => one.daysLeft - other.daysLeft);
  }
}

/** How long before its removal the use of an operation is worth a warning. */
const NEAR_DAYS = 90;
const RECENT_DAYS = 30;

/** Checks whether operations are still used that are about to be removed, or are gone. */
@Injectable()
export class DeprecationsCheck extends Check {
  readonly name = 'deprecations';
  readonly needs = 'tables';

  constructor(
    private readonly report: UsageReport,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async look() {
    const report = await this.report.since(dayOf(this.clock.now() - RECENT_DAYS * DAY_MS));
    const warnings = report
      .filter(({ callers, gone, daysLeft }) => callers.length > 0 && (gone || daysLeft < NEAR_DAYS))
      .map(({ operation, gone, sunset, callers }) => {
        const end = gone ? 'is gone' : `is due to be removed on ${sunset}`;
        const keys = `${callers.length} ${callers.length === 1 ? 'key' : 'keys'}`;
        return warning(
          `${operation} ${end}, and ${keys} used it in the last ${RECENT_DAYS} days.`,
          'Tell them: petstore deprecations report',
        );
      });
    return warnings.length > 0 ? warnings : [ok('Nobody uses what is gone or will be soon.')];
  }
}
