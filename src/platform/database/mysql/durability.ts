import type { DataSource } from 'typeorm';

interface Variables {
  readonly flush: unknown;
  readonly log: unknown;
  readonly sync: unknown;
}

/**
 * The settings, as `name=value`, by which a server loses changes that it has acknowledged when its machine crashes. None on SQLite,
 * where each commit is flushed.
 */
export async function lossySettings(source: DataSource): Promise<string[]> {
  if (source.options.type !== 'mysql') return [];
  const [variables] = await source.query<Variables[]>(
    'SELECT @@innodb_flush_log_at_trx_commit AS flush, @@log_bin AS log, @@sync_binlog AS sync',
  );
  const { flush, log, sync } = variables!;
  return [
    ...(Number(flush) === 1 ? [] : [`innodb_flush_log_at_trx_commit=${String(flush)}`]),
    ...(Number(log) === 0 || Number(sync) === 1 ? [] : [`sync_binlog=${String(sync)}`]),
  ];
}
