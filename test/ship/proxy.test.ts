import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { petstore } from '../support/petstore.js';
import { environmentOf, REPLICAS } from '../support/site/compose-file.js';
import { eventually } from '../support/eventually.js';
import { keepProcess } from '../support/processes/keeper.js';
import { freePort, programPath } from '../support/processes/local-program.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { Program } from '../support/program.js';
import { RedisServer } from '../support/databases/redis-server.js';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/compose/haproxy.cfg');
const haproxy = programPath('haproxy');
const PASSWORD = 'a-password-of-the-test';
const isComplete = haproxy !== undefined && MariaDbServer.isInstalled() && RedisServer.isInstalled();

describe.skipIf(!isComplete)('What compose.yaml puts together', () => {
  let mariaDb: MariaDbServer;
  let redis: RedisServer;
  const replicas: Program[] = [];
  let proxy: Program;
  let origin: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    build();
    [mariaDb, redis] = await Promise.all([MariaDbServer.start(), RedisServer.start()]);
    await mariaDb.query(
      'CREATE DATABASE petstore',
      `CREATE USER petstore@'%' IDENTIFIED BY '${PASSWORD}'`,
      'GRANT ALL ON petstore.* TO petstore@"%"',
    );
    const hosts = {
      'database:3306': `127.0.0.1:${mariaDb.port}`,
      'redis:6379': `127.0.0.1:${redis.port}`,
    };
    expect((await petstore(['db', 'migrate'], environmentOf('migration', PASSWORD, hosts))).code).toBe(0);
    const issue = ['keys', 'issue', '--name', 'shop', '--json', '--rate', '100000/s'];
    const { output } = await petstore(issue, environmentOf('petstore-1', PASSWORD, hosts));
    headers = { Authorization: `Bearer ${(JSON.parse(output) as { secret: string }).secret}` };

    const listen = `127.0.0.1:${await freePort()}`;
    const metrics = `127.0.0.1:${await freePort()}`;
    const addresses: Record<string, string> = { LISTEN: listen, METRICS: metrics };
    for (const [i, replica] of REPLICAS.entries()) {
      const port = String(await freePort());
      addresses[`REPLICA_${i + 1}`] = `127.0.0.1:${port}`;
      // Each container has its own IP address; here they share one, so the ports differ.
      const own = { PORT: port, METRICS_PORT: '0' };
      const program = startBuilt({ ...environmentOf(replica, PASSWORD, hosts), ...own }, tmpdir());
      keepProcess(program.pid, program.end());
      replicas.push(program);
    }
    execFileSync(haproxy!, ['-c', '-q', '-f', CONFIGURATION], { env: addresses });
    proxy = Program.run(haproxy!, ['-db', '-f', CONFIGURATION], addresses);
    keepProcess(proxy.pid, proxy.end());
    await Promise.all(replicas.map((replica) => replica.printed(/Pet Store +http/)));
    origin = `http://${listen}`;
    const hasEnded = proxy.end().then(({ output: why }) => Promise.reject(new Error(why)));
    await Promise.race([eventually(async () => (await fetch(`${origin}/readyz`)).ok), hasEnded]);
  });
  afterAll(async () => {
    await proxy?.stop('SIGKILL');
    await Promise.all(replicas.map((replica) => replica.stop('SIGKILL')));
    await Promise.all([mariaDb.stop(), redis.stop()]);
  });

  it('loses no request when a replica is told to stop under load', async () => {
    const statuses = new Map<string, number>();
    let isOver = false;
    const client = async (_: unknown, k: number) => {
      for (let i = k; !isOver; i++) {
        const body = JSON.stringify({ name: 'Rex', categoryId: i });
        const json = { ...headers, 'Content-Type': 'application/json' };
        const answer = await fetch(
          `${origin}/v1/pets`,
          i % 3 ? { headers } : { method: 'POST', headers: json, body },
        ).catch((error: unknown) => ({ status: String((error as Error).cause), text: () => '' }));
        await answer.text();
        statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await eventually(() => Promise.resolve((statuses.get('201') ?? 0) > 100));
    expect((await replicas[0]!.stop()).code).toBe(0);
    const before = statuses.get('201')!;
    await eventually(() => Promise.resolve(statuses.get('201')! > before + 100));
    isOver = true;
    await Promise.all(clients);
    expect([...statuses.keys()].toSorted()).toEqual(['200', '201']);
  });

  it('says which client it was, whatever the client says', async () => {
    // Failed attempts of one address are delayed, those of different addresses are not: eight in a row show the difference.
    const bad = (forwarded: string) =>
      fetch(`${origin}/v1/pets`, {
        headers: { Authorization: 'Bearer wrong', 'X-Forwarded-For': forwarded },
      });
    for (let i = 0; i < 8; i++) expect((await bad(`192.0.2.${i}`)).status).toBe(401);
    const begun = performance.now();
    await bad('192.0.2.99');
    expect(performance.now() - begun).toBeGreaterThan(200);
  });
});
