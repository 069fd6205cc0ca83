import { CallerNames } from '../caller-names.js';
import { DeprecatedList } from './deprecated-list.js';
import { DeprecatedUses } from './deprecated-uses.js';
import { Sunsets } from './deprecation.js';

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
  /** Who used it last comes first. */
  readonly callers: readonly ReportedCaller[];
}

interface ReportedCaller {
  readonly keyId: string;
  /** Null for a key that is not there any more. */
  readonly name: string | null;
  readonly uses: number;
  readonly lastUsedAt: string;
}

/** Tells who still calls what will be removed. */
export class UseReport {
  constructor(
    private readonly deprecated: DeprecatedList,
    private readonly sunsets: Sunsets,
    private readonly uses: DeprecatedUses,
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
        daysLeft: this.sunsets.daysLeft(deprecation),
        gone: this.sunsets.isGone(deprecation),
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
