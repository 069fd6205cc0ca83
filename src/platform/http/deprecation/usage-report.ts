import { Injectable } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import { Clock } from '../../../kernel/clock.js';
import { Check, ok, warning } from '../../doctor/check.js';
import { DailyUsageRepository } from './daily-usage.js';
import { DAY_MS, dayOf, type DeprecatedOperation, DeprecatedOperations } from './deprecation.js';
import type { CommandContext } from '../../cli/command-context.js';
import { tableOf } from '../../cli/output.js';
import { CallerNames } from '../caller.js';

/** A deprecated operation, and who still uses it. Days are in UTC, times in RFC 3339. */
export interface ReportedOperation extends Pick<
  DeprecatedOperation,
  'method' | 'path' | 'sunset' | 'daysLeft' | 'gone'
> {
  readonly operation: string;
  /** The most recent first. `name` is null if the key no longer exists. */
  readonly callers: readonly { keyId: string; name: string | null; uses: number; lastUsedAt: string }[];
}

@Injectable()
export class UsageReport {
  constructor(
    private readonly deprecated: DeprecatedOperations,
    private readonly usage: DailyUsageRepository,
  ) {}

  /** All deprecated operations, the next one to be removed first. Counts uses from the day `since` on, as `YYYY-MM-DD`. */
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

/** How long before the removal of an operation its use causes a warning. */
const NEAR_DAYS = 90;
const RECENT_DAYS = 30;

/** Checks whether operations are still used that will be removed soon, or have been. */
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

  override async run() {
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
    return warnings.length > 0 ? warnings : [ok('Nobody uses operations that are removed, or will be soon.')];
  }
}

interface Options {
  readonly since: string;
  readonly json?: true;
}

/** `petstore deprecations`: lists deprecated operations and who uses them, for operators. */
export function deprecationsCommand({ runWithDatabase, print }: CommandContext): Command {
  const deprecations = new Command('deprecations').description(
    'Shows who still calls deprecated operations.',
  );
  deprecations
    .command('report')
    .description('Lists each deprecated operation: when it ends, and which keys used it, the latest first.')
    .option('--since <day>', 'count from this day on, such as 2026-11-20, in UTC', readDay, '0000-01-01')
    .option('--json', 'print JSON')
    .action(async ({ since, json }: Options) => {
      const report = await runWithDatabase(async (app) =>
        app.get(UsageReport).since(since, await app.get(CallerNames).all()),
      );
      if (json) print(JSON.stringify(report));
      else if (report.length === 0) print('nothing is deprecated');
      else print(report.map(sectionOf).join('\n\n'));
    });
  return deprecations;
}

function readDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` accepts 30 February and makes it 2 March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('It must be a day such as 2026-11-20.');
  }
  return text;
}

function sectionOf({ operation, method, path, callers, ...end }: ReportedOperation): string {
  const title = `${operation}  ${method} ${path}  ${endOf(end)}`;
  if (callers.length === 0) return `${title}\nnobody uses it`;
  const rows = callers.map(({ keyId, name, uses, lastUsedAt }) => [
    keyId,
    name ?? '-',
    String(uses),
    lastUsedAt.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' '),
  ]);
  return `${title}\n${tableOf([['KEY', 'NAME', 'USES', 'LAST USED'], ...rows])}`;
}

function endOf({ gone, daysLeft, sunset }: Pick<ReportedOperation, 'gone' | 'daysLeft' | 'sunset'>): string {
  if (gone) return 'is gone, and answers 410';
  if (daysLeft < 0) return `was to be removed on ${sunset}, and is still served`;
  return `is removed on ${sunset}, in ${daysLeft} days`;
}
