import { Injectable } from '@nestjs/common';
import { CallerNames } from '../caller-names.js';
import { DeprecatedOperations } from './deprecated-operations.js';
import { DailyUsageRepository } from './daily-usage-repository.js';
import { DeprecationPolicy } from './deprecation.js';

/** A deprecated operation, and who still uses it. Days are in UTC, times in RFC 3339. */
export interface ReportedOperation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly sunset: string;
  /** Whole days until it is removed; negative afterwards. */
  readonly daysLeft: number;
  /** Whether it answers 410 already. */
  readonly gone: boolean;
  /** Who used it last comes first. `name` is null for a key that is not there any more. */
  readonly callers: readonly { keyId: string; name: string | null; uses: number; lastUsedAt: string }[];
}

/** Tells who still calls what will be removed. */
@Injectable()
export class UsageReport {
  constructor(
    private readonly deprecated: DeprecatedOperations,
    private readonly policy: DeprecationPolicy,
    private readonly uses: DailyUsageRepository,
  ) {}

  /** Every deprecated operation, the next to be removed first. Uses count from `since` on, a day as `YYYY-MM-DD`. */
  async of(since: string, callers: CallerNames): Promise<ReportedOperation[]> {
    const [uses, names] = await Promise.all([this.uses.since(since), callers.all()]);
    return this.deprecated
      .all()
      .map(({ name, method, path, deprecation }) => ({
        operation: name,
        method,
        path,
        sunset: deprecation.sunset,
        daysLeft: this.policy.daysLeft(deprecation),
        gone: this.policy.isGone(deprecation),
        callers: uses
          .filter(({ operation }) => operation === name)
          .map(({ keyId, uses: count, lastUsedAt }) => ({
            keyId,
            name: names.get(keyId) ?? null,
            uses: count,
            lastUsedAt: new Date(lastUsedAt).toISOString(),
          })),
      }))
      .sort((one, other) => one.daysLeft - other.daysLeft);
  }
}
