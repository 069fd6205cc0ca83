import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/built-service.js';
import { MonitoredSite } from '../support/monitored-site.js';
import { RedisServer } from '../support/redis-server.js';

const DAY_MS = 86_400_000;

describe.skipIf(!MonitoredSite.isInstalled())(
  'the alarms of two replicas, their proxy, database and Redis',
  { shuffle: false },
  () => {
    let site: MonitoredSite;
    const rings = (...names: string[]) => site.rings(...names);
    const isQuiet = () => site.isQuiet();

    beforeAll(async () => {
      build();
      site = await MonitoredSite.start();
    });
    afterAll(() => site.close());

    it('are silent in a quiet hour', async () => {
      await site.isKnown();
      // 15 minutes, 15 s here, is the longest that a rule waits for.
      for (let second = 0; second < 20; second++, await sleep(1_000))
        expect(await site.ringing()).toEqual([]);
    });

    it('ring when the database is gone, and the proxy answers in the Error body', async () => {
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
      await isQuiet();
    });

    it('ring when the database takes no changes, while reading goes on', async () => {
      await site.mariaDb.query('SET GLOBAL read_only = 1');
      await rings('PetstoreDatabaseReadOnly');
      const headers = site.authorization;
      expect((await fetch(`${site.origin}/v1/pets`, { headers })).status).toBe(200);
      await site.mariaDb.query('SET GLOBAL read_only = 0');
      await isQuiet();
    });

    it('ring for what goes wrong slowly: Redis, keys, old rows, events, connections, a replica', async () => {
      const { port } = site.redis;
      await site.redis.stop();
      await site.killReplica(1);
      await site.mariaDb.query(
        'USE petstore',
        `INSERT INTO stored_answers VALUES ('1', 'x', 'k', '${'0'.repeat(64)}', '{}', ${Date.now() - 7_200_000})`,
        `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)
       VALUES (1, 'nobody', 'PetAdded', 'pet/1', '{}', 0, 0, 0, 1)`,
        `UPDATE api_keys SET expires_at = ${Date.now() + DAY_MS}`,
        'SET GLOBAL max_connections = 20',
      );
      // Of others, one of whom keeps the old row from being deleted.
      await site.mariaDb.query('SET GLOBAL max_connections = 151');
      const others = await Promise.all(
        Array.from({ length: 30 }, () =>
          createConnection({ host: '127.0.0.1', port: site.mariaDb.port, user: 'root' }),
        ),
      );
      const [open] = await site.mariaDb.query("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
      await site.mariaDb.query(`SET GLOBAL max_connections = ${Math.floor(Number(open!['Value']) / 0.85)}`);
      await others[0]!.query('START TRANSACTION');
      await others[0]!.query('SELECT * FROM petstore.stored_answers WHERE expires_at > 0 FOR UPDATE');
      await rings(
        'PetstoreDatabaseConnections',
        'PetstoreKeysEnding',
        'PetstoreOutboxStuck',
        'PetstorePurgeStuck',
        'PetstoreRedisLost',
        'PetstoreReplicaDown',
      );
      for (const one of others) one.destroy();
      site.redis = await RedisServer.start(port);
      site.serve(1);
      await site.mariaDb.query(
        'SET GLOBAL max_connections = 151',
        'USE petstore',
        'DELETE FROM outbox',
        'DELETE FROM stored_answers',
        'UPDATE api_keys SET expires_at = NULL',
      );
      await isQuiet();
    });
  },
);
