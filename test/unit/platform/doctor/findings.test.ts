import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { clockResult, evaluateSettings } from '../../../../src/platform/database/checks/server-checks.js';
import { Check, type CheckResult } from '../../../../src/platform/doctor/check.js';
import { Doctor, NodeCheck } from '../../../../src/platform/doctor/doctor.js';

const GOOD = {
  sql_mode: 'STRICT_ALL_TABLES,NO_ZERO_DATE',
  transaction_isolation: 'READ-COMMITTED',
  innodb_flush_log_at_trx_commit: '1',
  log_bin: 'OFF',
  sync_binlog: '0',
};
const NODE = { ...GOOD, wsrep_on: 'ON', wsrep_ready: 'ON', wsrep_cluster_status: 'Primary' };

describe('the settings of a server', () => {
  it('are good when they keep what is stored', () => {
    expect(evaluateSettings(GOOD)).toEqual([]);
    expect(evaluateSettings(NODE)).toEqual([]);
  });

  it.each<[string, Record<string, string>, CheckResult['state']]>([
    ['is not strict', { sql_mode: '' }, 'problem'],
    ['has another isolation', { transaction_isolation: 'REPEATABLE-READ' }, 'problem'],
    ['writes its log once a second', { innodb_flush_log_at_trx_commit: '2' }, 'warning'],
    ['writes its binary log when it likes', { log_bin: 'ON' }, 'warning'],
    ['is a node that is not ready', { wsrep_ready: 'OFF' }, 'problem'],
    ['is a node without a majority', { wsrep_cluster_status: 'non-Primary' }, 'problem'],
  ])('are noticed of one that %s', (_, differences, state) => {
    const found = evaluateSettings({ ...NODE, ...differences });
    expect(found).toMatchObject([{ state, remedy: expect.any(String) as string }]);
  });
});

it.each<[number, CheckResult['state']]>([
  [400, 'ok'],
  [-5_000, 'warning'],
  [60_000, 'problem'],
])('a clock that is %i ms ahead is %s', (ahead, state) => {
  expect(clockResult(ahead).state).toBe(state);
});

it.each<[string, CheckResult['state']]>([
  ['18.20.0', 'problem'],
  ['20.18.3', 'problem'],
  ['20.19.0', 'ok'],
  ['24.0.0', 'ok'],
])('Node.js %s is %s', async (version, state) => {
  expect(await new NodeCheck().run(version)).toMatchObject([{ state }]);
});

describe('a check', () => {
  class Broken extends Check {
    readonly name = 'broken';
    readonly needs = 'database';
    override run(): Promise<CheckResult[]> {
      return Promise.reject(new Error('it broke'));
    }
  }
  let doctor: Doctor;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [Doctor, NodeCheck, Broken],
    }).compile();
    doctor = module.get(Doctor);
  });

  it('that fails is a problem', async () => {
    expect(await doctor.run('database')).toMatchObject([
      { check: 'broken', state: 'problem', what: 'The check failed: it broke' },
    ]);
  });

  it('is left out where its requirement is not met', async () => {
    expect((await doctor.run('nothing')).map(({ check }) => check)).toEqual(['node']);
  });
});
