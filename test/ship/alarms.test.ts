import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { eventually } from '../support/eventually.js';
import { forgetFolder, keepFolder } from '../support/keeper.js';
import { freePort, programPath } from '../support/local-program.js';
import { MariaDbServer } from '../support/mariadb-server.js';
import { Program } from '../support/program.js';
import { RedisServer } from '../support/redis-server.js';

const ROOT = resolve(import.meta.dirname, '../..');
const [haproxy, prometheus] = [programPath('haproxy'), programPath('prometheus')];
const isComplete = haproxy && prometheus && MariaDbServer.isInstalled() && RedisServer.isInstalled();
const SECRET = 'bootstrap-key-for-the-test-of-alarms';
const DAY_MS = 86_400_000;

/**
 * The rules of the repository, in a world in which a minute takes a second and an hour ten: Prometheus cannot be told another
 * time, and nobody waits for six hours. Bounds of what is measured stay as they are.
 */
const SECONDS: Readonly<Record<string, number>> = { m: 1, h: 10, d: 240 };
const compressed = (rules: string) =>
  rules
    .replaceAll(/(\[|offset |for: )(\d+)([mhd])\b/g, (_, before: string, count: string, unit: string) => {
      return `${before}${Number(count) * SECONDS[unit]!}s`;
    })
    .replaceAll('for: 30s', 'for: 1s');

describe.skipIf(!isComplete)(
  'the alarms of two replicas, their proxy, database and Redis',
  { shuffle: false },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-alarms-'));
    const programs: Program[] = [];
    let mariaDb: MariaDbServer;
    let redis: RedisServer;
    let origin: string;
    let monitor: string;
    let replicas: { start(): void; program: Program }[];
    let traffic: Promise<void>;
    let isOver = false;

    const run = (...[command, args, environment = {}]: [string, string[], Record<string, string>?]) => {
      const program = Program.run(command, args, environment, folder);
      programs.push(program);
      return program;
    };

    /** The alerts that are raised now. */
    async function ringing(): Promise<string[]> {
      const answer = await fetch(`${monitor}/api/v1/alerts`);
      const { data } = (await answer.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      const firing = data.alerts.filter(({ state }) => state === 'firing');
      return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
    }
    const rings = (...names: string[]) =>
      eventually(async () => {
        const now = await ringing();
        return names.every((name) => now.includes(name));
      });
    const isQuiet = () => eventually(async () => (await ringing()).length === 0);

    beforeAll(async () => {
      keepFolder(folder);
      build();
      [mariaDb, redis] = await Promise.all([MariaDbServer.start(), RedisServer.start()]);
      await mariaDb.query('CREATE DATABASE petstore', 'CREATE USER app', 'GRANT ALL ON petstore.* TO app');

      const ports = await Promise.all(Array.from({ length: 7 }, () => freePort()));
      const [listen, proxyMetrics, web, one, two, oneMetrics, twoMetrics] = ports.map(
        (port) => `127.0.0.1:${port}`,
      );
      replicas = [one!, two!].map((address, i) => {
        const [PORT, METRICS_PORT] = [address, [oneMetrics, twoMetrics][i]!].map((at) => at.split(':')[1]!);
        const environment = {
          PORT: PORT!,
          METRICS_PORT: METRICS_PORT!,
          DATABASE_URL: mariaDb.url('petstore', 'app'),
          REDIS_URL: redis.url,
          BOOTSTRAP_API_KEY: SECRET,
          MIGRATE_ON_START: 'true',
          LOG_LEVEL: 'error',
        };
        const start = () => {
          entry.program = startBuilt(environment, folder);
          programs.push(entry.program);
        };
        const entry = { start, program: undefined as unknown as Program };
        return entry;
      });
      for (const { start } of replicas) start();
      await Promise.all(replicas.map(({ program }) => program.printed(/Pet Store +http/)));

      const addresses = { LISTEN: listen!, METRICS: proxyMetrics!, REPLICA_1: one!, REPLICA_2: two! };
      run(haproxy!, ['-db', '-f', join(ROOT, 'deploy/compose/haproxy.cfg')], addresses);
      origin = `http://${listen}`;

      writeFileSync(
        join(folder, 'alerts.yml'),
        compressed(readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8')),
      );
      const job = (name: string, ...targets: (string | undefined)[]) =>
        `  - job_name: ${name}\n    static_configs: [{ targets: [${targets.map((target) => `'${target}'`).join(', ')}] }]\n`;
      writeFileSync(
        join(folder, 'prometheus.yml'),
        'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }\n' +
          `scrape_configs:\n${job('petstore', oneMetrics, twoMetrics)}${job('petstore-proxy', proxyMetrics)}` +
          'rule_files: [alerts.yml]\n',
      );
      const options = [
        '--config.file=prometheus.yml',
        '--storage.tsdb.path=data',
        `--web.listen-address=${web}`,
      ];
      const prometheusProgram = run(prometheus!, options);
      monitor = `http://${web}`;
      const ended = prometheusProgram.end().then(({ output }) => Promise.reject(new Error(output)));
      await Promise.race([eventually(async () => (await fetch(`${monitor}/-/ready`)).ok), ended]);
      ended.catch(() => undefined);

      const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
      const client = async () => {
        for (let i = 0; !isOver; i++, await sleep(20)) {
          const request = i % 2 ? { headers } : { headers, body, method: 'POST' };
          await fetch(`${origin}/v1/pets`, request)
            .then((answer) => answer.text())
            .catch(() => undefined);
        }
      };
      traffic = Promise.all([client(), client()]).then(() => undefined);
    });
    afterAll(async () => {
      isOver = true;
      await traffic;
      await Promise.all(programs.map((program) => program.isRunning && program.stop('SIGKILL')));
      await Promise.all([mariaDb.stop(), redis.stop()]);
      forgetFolder(folder);
    });

    it('are silent in a quiet hour', async () => {
      // Prometheus has just begun: until it has looked a few times everything is absent.
      await eventually(async () => {
        const answer = await fetch(`${monitor}/api/v1/query?query=min(sum_over_time(up[10s]))`);
        const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
        return Number(data.result[0]!.value[1]) >= 5;
      });
      await isQuiet();
      // 15 minutes, 15 s here, is the longest that a rule waits for.
      for (let second = 0; second < 20; second++, await sleep(1_000)) expect(await ringing()).toEqual([]);
    });

    it('ring when the database is gone, and the proxy answers in the Error body', async () => {
      await mariaDb.kill();
      await rings('PetstoreNotReady', 'PetstoreNoReplica', 'PetstoreProxyFailures');
      const answer = await fetch(`${origin}/v1/pets`, { headers: { 'X-Request-Id': 'night-1' } });
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
      await mariaDb.launch();
      await isQuiet();
    });

    it('ring when the database takes no changes, while reading goes on', async () => {
      await mariaDb.query('SET GLOBAL read_only = 1');
      await rings('PetstoreDatabaseReadOnly');
      const headers = { Authorization: `Bearer ${SECRET}` };
      expect((await fetch(`${origin}/v1/pets`, { headers })).status).toBe(200);
      await mariaDb.query('SET GLOBAL read_only = 0');
      await isQuiet();
    });

    it('ring for what goes wrong slowly: Redis, keys, old rows, events, connections, a replica', async () => {
      const port = redis.port;
      await redis.stop();
      await replicas[1]!.program.stop('SIGKILL');
      await mariaDb.query(
        'USE petstore',
        `INSERT INTO stored_answers VALUES ('1', 'x', 'k', '${'0'.repeat(64)}', '{}', ${Date.now() - 7_200_000})`,
        `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position)
       VALUES (1, 'nobody', 'PetAdded', 'pet/1', '{}', 0, 0, 0, 1)`,
        `UPDATE api_keys SET expires_at = ${Date.now() + DAY_MS}`,
        'SET GLOBAL max_connections = 20',
      );
      // Of others, one of whom keeps the old row from being deleted.
      await mariaDb.query('SET GLOBAL max_connections = 151');
      const others = await Promise.all(
        Array.from({ length: 30 }, () =>
          createConnection({ host: '127.0.0.1', port: mariaDb.port, user: 'root' }),
        ),
      );
      const [open] = await mariaDb.query("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
      await mariaDb.query(`SET GLOBAL max_connections = ${Math.floor(Number(open!['Value']) / 0.85)}`);
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
      redis = await RedisServer.start(port);
      replicas[1]!.start();
      await mariaDb.query(
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
