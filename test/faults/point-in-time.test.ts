import { exec } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { existing } from '../support/engines.js';
import { keepFolder, forgetFolder } from '../support/processes/keeper.js';
import { programPath } from '../support/processes/local-program.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { petstore } from '../support/petstore.js';
import { startService } from '../support/service.js';
import { untilServed } from '../support/until-served.js';

const shell = promisify(exec);
const isInstalled = ['mariadb-backup', 'mariadb-binlog', 'mariadb'].every((name) => programPath(name));
const SECRET = 'a-key-that-the-operator-has-brought-along';

// The steps of docs/operations/recovery.md.
describe.skipIf(!MariaDbServer.isInstalled() || !isInstalled)(
  'everything that was acknowledged before an accident',
  () => {
    let folder: string;
    let server: MariaDbServer;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'petstore-recovery-'));
      keepFolder(folder);
      // The binary logs are outside the data folder, as if on another disk.
      server = await MariaDbServer.start(`--log-bin=${folder}/bin`, '--server-id=1', '--sync-binlog=1');
      await server.query('CREATE DATABASE petstore');
    });
    afterEach(async () => {
      await server.stop();
      await rm(folder, { recursive: true });
      forgetFolder(folder);
    });

    const serve = async () => {
      const service = await startService(existing({ url: server.url('petstore') }), {
        environment: { BOOTSTRAP_API_KEY: SECRET },
      });
      const add = async () => {
        const headers = { 'Idempotency-Key': randomUUID() };
        const { status, json } = await untilServed(() =>
          service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers }),
        );
        expect(status).toBe(201);
        return (json as { id: number }).id;
      };
      return { add: (count: number) => Promise.all(Array.from({ length: count }, add)), stop: service.stop };
    };
    const ids = async () =>
      (await server.query('USE petstore', 'SELECT id FROM pets')).map(({ id }) => Number(id));

    it('is restored from a backup of the running server and its binary logs, and no id is assigned again', async () => {
      const at = `--host=127.0.0.1 --port=${server.port} --user=root`;
      const backup = join(folder, 'backup');
      const first = await serve();
      const before = await first.add(100);
      await shell(`mariadb-backup --no-defaults --backup ${at} --target-dir=${backup}`);
      await shell(`mariadb-backup --no-defaults --prepare --target-dir=${backup}`);
      const after = await first.add(100);
      await first.stop();
      await server.query('USE petstore', 'DROP TABLE pets');

      await server.kill('SIGTERM');
      const data = join(server.folder, 'data');
      await rm(data, { recursive: true });
      await shell(`mariadb-backup --no-defaults --copy-back --target-dir=${backup} --datadir=${data}`);
      await server.launch();
      expect((await ids()).sort()).toEqual(before.sort());

      const [log, start] = (await readFile(join(backup, 'xtrabackup_binlog_info'), 'utf8')).split(/\s/);
      const events = (await shell(`mariadb-binlog --start-position=${start} ${folder}/${log}`)).stdout;
      // Each transaction begins with its GTID: the replay stops at that of the accident.
      const accident = events.slice(0, events.indexOf('DROP TABLE'));
      const stop = [...accident.matchAll(/^# at (\d+)\n#.*GTID/gm)].at(-1)![1];
      await shell(
        `mariadb-binlog --start-position=${start} --stop-position=${stop} ${folder}/${log} | mariadb --no-defaults ${at}`,
      );

      expect(new Set(await ids())).toEqual(new Set([...before, ...after]));
      const doctor = await petstore(['doctor'], { DATABASE_URL: server.url('petstore') });
      expect([doctor.code, doctor.output]).toEqual([0, expect.not.stringContaining('problem')]);
      const second = await serve();
      const added = await second.add(20);
      await second.stop();
      expect(added.filter((id) => before.includes(id) || after.includes(id))).toEqual([]);
    });
  },
);
