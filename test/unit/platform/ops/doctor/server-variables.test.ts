import { describe, expect, it } from 'vitest';
import { evaluateServer, type Finding } from '../../../../../src/platform/ops/doctor/checks.js';

const GOOD = {
  read_only: 'OFF',
  tx_read_only: 'OFF',
  innodb_read_only: '0',
  innodb_flush_log_at_trx_commit: '1',
  log_bin: 'OFF',
  binlog_format: 'STATEMENT',
  sync_binlog: '0',
};
const NODE = { ...GOOD, wsrep_on: 'ON', wsrep_ready: 'ON', wsrep_cluster_status: 'Primary' };

describe('the variables of a server', () => {
  it('are good when they keep what is stored', () => {
    expect(evaluateServer(GOOD)).toEqual([]);
    expect(evaluateServer(NODE)).toEqual([]);
    expect(evaluateServer({ ...GOOD, log_bin: 'ON', binlog_format: 'MIXED', sync_binlog: '1' })).toEqual([]);
  });

  it.each<[string, Record<string, string>, Finding['state'], what: RegExp]>([
    ['takes no writes', { read_only: 'ON' }, 'problem', /^read_only is ON/],
    [
      'takes no writes of administrators either',
      { super_read_only: '1' },
      'problem',
      /^super_read_only is 1/,
    ],
    [
      'logs statements',
      { log_bin: 'ON', sync_binlog: '1' },
      'problem',
      /^binlog_format is STATEMENT.*READ COMMITTED/,
    ],
    ['writes its log once a second', { innodb_flush_log_at_trx_commit: '2' }, 'warning', /commit is 2\.$/],
    [
      'writes its binary log when it likes',
      { log_bin: 'ON', binlog_format: 'ROW' },
      'warning',
      /^sync_binlog is 0\.$/,
    ],
    ['is a node that is not ready', { wsrep_ready: 'OFF' }, 'problem', /in a Primary cluster/],
    ['is a node without a majority', { wsrep_cluster_status: 'non-Primary' }, 'problem', /in a non-Primary/],
  ])('are noticed of one that %s', (_, differences, state, what) => {
    const found = evaluateServer({ ...NODE, ...differences });
    expect(found).toEqual([
      { state, what: expect.stringMatching(what) as string, remedy: expect.any(String) as string },
    ]);
  });
});
