import type { DataSource } from 'typeorm';
import { rowOf } from '../error-table.js';

interface Variables {
  readonly flush: unknown;
  readonly log: unknown;
  readonly sync: unknown;
  readonly longest: unknown;
}

/** In bytes. Statements with 500 pets, whose names have the longest form, are shorter. */
const LONGEST_STATEMENT = 1_048_576;

interface Warning {
  readonly what: string;
  readonly remedy: string;
}

/**
 * What to know about the settings of a server: it may lose changes that it has acknowledged when its machine crashes, or reject large
 * statements. SQLite has neither problem.
 */
export async function unsafeSettings(source: DataSource): Promise<Warning[]> {
  if (source.options.type !== 'mysql') return [];
  const [variables] = await source.query<Variables[]>(
    'SELECT @@innodb_flush_log_at_trx_commit AS flush, @@log_bin AS log, @@sync_binlog AS sync, @@max_allowed_packet AS longest',
  );
  const { flush, log, sync, longest } = variables!;
  const lossy = [
    ...(Number(flush) === 1 ? [] : [`innodb_flush_log_at_trx_commit=${String(flush)}`]),
    ...(Number(log) === 0 || Number(sync) === 1 ? [] : [`sync_binlog=${String(sync)}`]),
  ];
  const warnings: Warning[] = [];
  if (lossy.length > 0)
    warnings.push({
      what: `If the machine of the server crashes, acknowledged changes are lost: ${lossy.join(', ')}.`,
      remedy: 'Set it to 1, unless other nodes of a cluster keep the changes.',
    });
  if (Number(longest) < LONGEST_STATEMENT)
    warnings.push({
      what: `The server rejects statements above ${Number(longest) / 1_024} KiB: max_allowed_packet=${String(longest)}.`,
      remedy: rowOf('too_large').remedy!,
    });
  return warnings;
}
