import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MonitoredSite } from '../support/site/monitored-site.js';
import { RedisServer } from '../support/databases/redis-server.js';

const DAY_MS = 86_400_000;
/** Limits low enough for this machine to exceed them. */
const SETTINGS = {
  DB_POOL_SIZE: '3',
  MAX_IN_FLIGHT: '16',
  NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, '../support/processes/soon-ending.mjs')).href}`,
};

/** Repeats `what` until stopped. @returns a function that stops it */
function again(what: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const work = (async () => {
    while (!isOver) await what();
  })();
  return () => {
    isOver = true;
    return work;
  };
}

/**
 * Measures from now on. @returns a function with the share of the time in which a program of this machine waited for a CPU; 0 where
 * Linux does not report it
 */
function shareWithoutCpu(): () => number {
  const file = '/proc/pressure/cpu';
  const waitedMs = () =>
    existsSync(file) ? Number(/some .*total=(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1_000 : 0;
  const [waited, begun] = [waitedMs(), performance.now()];
  return () => (waitedMs() - waited) / (performance.now() - begun);
}

describe.skipIf(!MonitoredSite.isInstalled())(
  'the alerts of two replicas, their proxy, database and Redis',
  { shuffle: false },
  () => {
    let site: MonitoredSite;
    const rings = (...names: string[]) => site.rings(...names);

    beforeAll(async () => {
      site = await MonitoredSite.start(SETTINGS);
    });
    afterAll(() => site.close());

    /** `count` clients that send requests in a loop, whatever the response. @returns a function that stops them */
    const crowd = (count: number, request: () => RequestInit, path = '/v1/pets') => {
      const ask = async () => {
        const { headers, ...more } = request();
        const all = { ...site.authorization, 'Content-Type': 'application/json', ...headers };
        await fetch(`${site.origin}${path}`, { ...more, headers: all })
          .then((answer) => answer.text())
          .catch(() => undefined);
        await sleep(100);
      };
      const ends = Array.from({ length: count }, () => again(ask));
      return () => Promise.all(ends.map((end) => end()));
    };

    it('do not fire in a quiet hour', async () => {
      await site.isKnown();
      // If other programs take the CPU of this machine, an event loop really lags. Then the hour begins again.
      const busy = 'PetstoreEventLoopLag';
      const ends = performance.now() + 300_000;
      const share = shareWithoutCpu();
      // The longest wait of a rule is 15 minutes, here 15 s.
      let quiet = 0;
      while (quiet < 20 && performance.now() < ends) {
        const ringing = await site.ringing();
        expect(ringing.filter((name) => name !== busy || share() < 0.5)).toEqual([]);
        quiet = ringing.length === 0 ? quiet + 1 : 0;
        await sleep(1_000);
      }
      expect(quiet, `seconds without ${busy}`).toBe(20);
    });

    it('fire when the database is gone, and the proxy returns the Error body', async () => {
      await site.mariaDb.kill();
      await rings('PetstoreNotReady', 'PetstoreNoReplica', 'PetstoreProxyFailures');
      const answer = await fetch(`${site.origin}/v1/pets`, { headers: { 'X-Request-Id': 'night-1' } });
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-request-id')]).toEqual([
        503,
        '1',
        'night-1',
      ]);
      expect(await answer.json()).toEqual({
        code: 'service_unavailable',
        message: expect.any(String) as string,
        status: 503,
      });
      await site.mariaDb.launch();
      await site.endsRinging('PetstoreNotReady', 'PetstoreNoReplica', 'PetstoreProxyFailures');
    });

    it('fire when database and Redis accept no writes but still serve reads, and when a replica is short of CPU', async () => {
      await site.mariaDb.query('SET GLOBAL read_only = 1');
      await site.redis.ask('REPLICAOF', '127.0.0.1', '1');
      const pid = site.pidOf('replica 2');
      const feed = again(async () => {
        process.kill(pid, 'SIGSTOP');
        await sleep(200);
        process.kill(pid, 'SIGCONT');
        await sleep(200);
      });
      const names = ['PetstoreDatabaseReadOnly', 'PetstoreEventLoopLag', 'PetstoreFailuresFastBurn'];
      await rings(...names, 'PetstoreRedisLost');
      const headers = site.authorization;
      expect((await fetch(`${site.origin}/v1/pets`, { headers })).status).toBe(200);
      await site.mariaDb.query('SET GLOBAL read_only = 0');
      await site.redis.ask('REPLICAOF', 'NO', 'ONE');
      await feed();
      await site.endsRinging(...names, 'PetstoreRedisLost');
    });

    it('fire for slow failures, and for a pool that is too small', async () => {
      const { port } = site.redis;
      await site.redis.stop();
      site.disk.fill();
      const ago = Date.now() / 1_000 - 27 * 3_600;
      writeFileSync(join(site.folder, 'backup.prom'), `backup_last_success_timestamp_seconds ${ago}\n`);
      await site.mariaDb.query(
        'USE petstore',
        `INSERT INTO stored_answers VALUES ('0', 'x', 'k', '${'0'.repeat(64)}', '{}', ${Date.now() - 7_200_000})`,
        `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)
       VALUES (1, 'nobody', 'PetAdded', 'pet/1', '{}', 0, 0, 0, 1), (2, 'nobody', 'PetAdded', 'pet/2', '{}', 0, 0, 0, 1)`,
        'UPDATE outbox SET set_aside_at = 1 WHERE id = 2',
        `UPDATE api_keys SET expires_at = ${Date.now() + DAY_MS}`,
        // A pet with its own idempotency key is added alone (not batched), which takes 150 ms from now on.
        'CREATE TRIGGER slow BEFORE INSERT ON stored_answers FOR EACH ROW SET @slow = SLEEP(0.15)',
      );
      // Connections of other clients, one of which locks the old row so that it cannot be deleted.
      const others = await Promise.all(
        Array.from({ length: 30 }, () =>
          createConnection({ host: '127.0.0.1', port: site.mariaDb.port, user: 'root' }),
        ),
      );
      const [open] = await site.mariaDb.query("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
      await site.mariaDb.query(`SET GLOBAL max_connections = ${Math.floor(Number(open!['Value']) / 0.85)}`);
      await others[0]!.query('START TRANSACTION');
      await others[0]!.query(
        "SELECT * FROM petstore.stored_answers WHERE (caller, operation, idempotency_key) = ('0', 'x', 'k') FOR UPDATE",
      );
      let next = 0;
      const disperse = crowd(12, () => ({
        method: 'POST',
        body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
        headers: { 'Idempotency-Key': `crowd-${next++}` },
      }));
      const leave = crowd(1, () => ({}), '/v1/pets/1');
      await rings(
        'PetstoreBackupOld',
        'PetstoreDatabaseConnections',
        'PetstoreDatabaseDisk',
        'PetstoreDeprecatedOperationInUse',
        'PetstoreJobFailed',
        'PetstoreKeysEnding',
        'PetstoreOutboxSetAside',
        'PetstoreOutboxStuck',
        'PetstorePoolExhausted',
        'PetstorePurgeStuck',
        'PetstoreRedisLost',
        'PetstoreSlowFastBurn',
        'PetstoreSlowSlowBurn',
      );
      await Promise.all([leave(), disperse()]);
      for (const one of others) one.destroy();
      site.redis = await RedisServer.start(port);
      site.disk.makeRoom();
      await site.backUp();
      await site.mariaDb.query(
        'SET GLOBAL max_connections = 151',
        'USE petstore',
        'DROP TRIGGER slow',
        'DELETE FROM outbox',
        'DELETE FROM stored_answers',
        'UPDATE api_keys SET expires_at = NULL',
      );
    });

    it('fire when a log cannot be written', async () => {
      site.leaveLogOf('replica 1');
      await rings('PetstoreLogDropped');
      await site.kill('replica 1');
      site.launch('replica 1');
    });

    it('fire when many clients arrive while the database stops responding again and again', async () => {
      const disperse = crowd(200, () => ({}));
      const hurry = again(async () => {
        site.mariaDb.freeze();
        await sleep(800);
        site.mariaDb.thaw();
        await sleep(300);
      });
      await rings('PetstoreFailuresSlowBurn', 'PetstoreOverloaded');
      await Promise.all([disperse(), hurry()]);
    });

    it('fire when metrics are missing', async () => {
      const parts = ['replica 1', 'replica 2', 'proxy', 'node_exporter'] as const;
      await Promise.all(parts.map((part) => site.kill(part)));
      const all = ['PetstoreAbsent', 'PetstoreDatabaseUnwatched', 'PetstoreProxyDown', 'PetstoreReplicaDown'];
      await rings(...all);
      for (const part of parts) site.launch(part);
      await site.endsRinging(...all);
    });

    it('stop firing, and this test has fired every rule', async () => {
      await site.isQuiet();
      const { all, raised } = await site.alerts();
      expect(raised).toEqual(all);
    });
  },
);
