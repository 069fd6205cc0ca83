import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { freePort, programPath } from '../../support/processes/local-program.js';
import { LocalServer } from '../../support/processes/local-server.js';
import { serverArguments } from '../../support/databases/server-arguments.js';
import { askServer } from '../../support/databases/database-server.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { petstore } from '../../support/petstore.js';
import { type Ending, Program } from '../../support/program.js';
import { SmallDisk } from '../../support/databases/small-disk.js';

interface Issued {
  readonly id: number;
  readonly secret: string;
}

beforeAll(build);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function diskOf(size: string): Promise<SmallDisk> {
  const disk = await SmallDisk.create(size);
  cleanUps.push(() => disk.remove());
  return disk;
}

type Run = (...args: string[]) => Promise<Ending>;

const issued = async (run: Run) =>
  JSON.parse((await run('keys', 'issue', '--name', 'leaked', '--json')).stdout) as Issued;

/** Issues keys until the disk has no room for another. */
async function refusal(run: Run): Promise<Ending> {
  for (;;) {
    const ending = await run('keys', 'issue', '--name', 'one more');
    if (ending.code !== 0) return ending;
  }
}

describe.skipIf(!SmallDisk.isPossible())(
  'on a full disk what cannot be done says why, and can be done once there is room:',
  () => {
    it('SQLite, where reads go on', { timeout: 240_000 }, async () => {
      const disk = await diskOf('2m');
      const environment = { DATABASE_URL: `sqlite:${join(disk.folder, 'petstore.db')}`, PORT: '0' };
      const start = (program: string, ...args: string[]) => {
        const [command, ...rest] = [...disk.command, process.execPath, bundled(program), ...args];
        return Program.run(command!, rest, environment);
      };
      const run: Run = (...args) => start('cli', ...args).end();
      const service = start('main');
      cleanUps.push(() => service.stop('SIGKILL'));
      const [, url] = await service.printed(/Pet Store +(http\S+)/);
      const { id, secret } = await issued(run);
      const asked = async () =>
        (await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${secret}` } })).status;
      await eventually(async () => (await asked()) === 200);

      disk.fill();
      const { code, stderr } = await refusal(run);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/SQLITE_FULL .*Free some space on its disk/)]);
      expect((await run('keys', 'list')).code).toBe(0);
      const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 7 });
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      let added: Response;
      do added = await fetch(`${url}/pets`, { method: 'POST', headers, body });
      while (added.status === 201);
      expect([added.status, await added.json()]).toMatchObject([503, { code: 'database_read_only' }]);
      expect(await asked()).toBe(200);
      const revoked = await run('keys', 'revoke', String(id));
      expect([revoked.code, revoked.stderr]).toEqual([1, stderr]);
      expect((await run('doctor')).stdout).toMatch(/^problem {2}writes: .*SQLITE_FULL .*Free some space/m);

      disk.makeRoom();
      expect((await run('keys', 'revoke', String(id))).code).toBe(0);
      await eventually(async () => (await asked()) === 401);
      const shown = JSON.parse((await run('keys', 'show', String(id), '--json')).stdout) as object;
      expect(shown).toMatchObject({ state: 'revoked', history: [{ act: 'issued' }, { act: 'revoked' }] });
    });

    it.skipIf(!MariaDbServer.isInstalled())(
      'MariaDB, where a key is revoked at once, and only its history waits',
      { timeout: 240_000 },
      async () => {
        const disk = await diskOf('48m');
        const port = await freePort();
        const log = '--innodb-log-file-size=4M';
        const user = ['--user=root'];
        const data = `--datadir=${join(disk.folder, 'data')}`;
        const install = [programPath('mariadb-install-db')!, '--no-defaults', data, log, ...user];
        const [program, ...args] = [...disk.command, ...install, '--auth-root-authentication-method=normal'];
        execFileSync(program!, args, { stdio: 'ignore' });
        const server = new LocalServer(programPath('mariadbd')!, disk.command);
        server.launch([...serverArguments(disk.folder, port), log, ...user]);
        cleanUps.push(() => server.end('SIGKILL'));
        const ask = (...statements: string[]) => askServer(port, statements);
        await eventually(() =>
          ask('CREATE DATABASE petstore').then(
            () => true,
            () => false,
          ),
        );
        const run: Run = (...words) =>
          petstore(words, { DATABASE_URL: `mysql://root:@127.0.0.1:${port}/petstore` });
        await run('db', 'migrate');
        const { id } = await issued(run);

        disk.fill();
        for (;;) {
          const { length } = await ask(
            "INSERT INTO petstore.api_key_events SELECT MAX(id) + 1, 0, 'x', REPEAT('x', 255), 0 FROM petstore.api_key_events",
          ).catch(() => []);
          if (length === 0) break;
        }
        // Moves the sequence past the ids of the rows above.
        await ask('UPDATE petstore.sequences SET next_id = 1000000');
        const { code, stderr } = await refusal(run);
        expect([code, stderr]).toEqual([1, expect.stringContaining('Free some space on its disk')]);
        const revoked = await run('keys', 'revoke', String(id));
        expect(revoked.code).toBe(0);
        expect(revoked.stderr).toContain('its history does not say so');

        disk.makeRoom();
        expect((await run('keys', 'revoke', String(id))).code).toBe(0);
        const shown = JSON.parse((await run('keys', 'show', String(id), '--json')).stdout) as object;
        expect(shown).toMatchObject({ state: 'revoked', history: [{ act: 'issued' }, { act: 'revoked' }] });
      },
    );
  },
);
