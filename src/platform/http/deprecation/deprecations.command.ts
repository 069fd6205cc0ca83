import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../cli/command-context.js';
import { tableOf } from '../../cli/output.js';
import { Database } from '../../database/database.js';
import { CallerNames } from '../caller.js';
import { type ReportedOperation, UsageReport } from './usage-report.js';

interface Options {
  readonly since: string;
  readonly json?: true;
}

/** `petstore deprecations`: which operations end, for operators. */
export function deprecationsCommand({ run, print }: CommandContext): Command {
  const deprecations = new Command('deprecations').description('Shows who still calls what will be removed.');
  deprecations
    .command('report')
    .description('Lists each deprecated operation: when it ends, and which keys used it, the latest first.')
    .option('--since <day>', 'count from this day on, such as 2026-11-20, in UTC', readDay, '0000-01-01')
    .option('--json', 'print JSON')
    .action(async ({ since, json }: Options) => {
      const report = await run(async (app) => {
        await app.get(Database).open({ waitForServer: false });
        return app.get(UsageReport).since(since, await app.get(CallerNames).all());
      });
      if (json) print(JSON.stringify(report));
      else if (report.length === 0) print('nothing is deprecated');
      else print(report.map(sectionOf).join('\n\n'));
    });
  return deprecations;
}

function readDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // JavaScript takes the 30th of February for the 2nd of March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('It is no day such as 2026-11-20.');
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
