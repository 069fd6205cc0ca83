import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { Migrator } from '../../support/rooms/database.js';
import { bundled, startBundled } from '../../support/built-service.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { Program } from '../../support/program.js';
import { startService } from '../../support/service.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-start-'));
});
afterAll(() => rm(folder, { recursive: true }));

const IN_MEMORY = { DATABASE_URL: 'sqlite::memory:' };

it.skipIf(!inject('curlIsInstalled'))(
  'The service prints a key and a working curl command at its first start',
  async ({ onTestFinished }) => {
    const program = startBundled({ ...IN_MEMORY, DEPRECATED_OPERATIONS: 'gone' }, folder);
    onTestFinished(async () => void (await program.stop()));
    await program.printed(/getPet is gone: it answers 410/);
    const [, curl] = await program.printed(/^ +(curl .*)$/m);
    expect(execFileSync('sh', ['-c', curl!]).toString()).toBe('[]');
    expect(program.output).toMatch(/Document +http:\S+\/docs and http:\S+\/openapi\.json\n/);
    expect(program.output).toMatch(/Database +SQLite /);
  },
);

describe('the started service', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    beforeEach(async () => void (database = await engine.create()));
    afterEach(() => database.drop());

    it('keeps added pets after a restart, and then says how to get a key', async () => {
      const first = await startService(existing(database));
      const added = await first.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect(added.status).toBe(201);
      await first.stop();

      const second = await startService(existing(database));
      // Without a new key the welcome names the command that issues one.
      expect(second.secret).toBe('');
      const headers = { Authorization: `Bearer ${first.secret}` };
      expect((await second.stranger.get('/v1/pets', { headers })).json).toEqual([added.json]);
      await second.stop();
    });

    it('can be reverted migration by migration, and migrated again', async () => {
      const service = await startService(existing(database));
      const migrator = service.app.get(Migrator);
      const names = (await migrator.status()).map(({ name }) => name);
      for (const name of names.toReversed()) {
        expect(await migrator.newest()).toBe(name);
        await migrator.revert(name);
      }
      expect(await migrator.migrate()).toEqual(names);
      await service.stop();
    });
  }));

describe('the configuration', () => {
  it('is rejected as a whole, by variable name, before anything starts', async () => {
    const environment = {
      PORT: '70000',
      DATABASE_URL: 'postgres://x:secret@y/z',
      LOG_LEVEL: 'loud',
      BASE_URL: 'x',
    };
    const { code, output } = await startBundled(environment, folder).end();
    expect(code).toBe(1);
    expect(
      said(output)
        .map((line) => line.split(': ')[0])
        .toSorted(),
    ).toEqual(Object.keys(environment).toSorted());
    expect(output).not.toContain('secret');
  });

  it('that names a port in use ends the start with an error about this port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const METRICS_PORT = String((server.address() as AddressInfo).port);
    const { code, stderr } = await startBundled({ ...IN_MEMORY, METRICS_PORT }, folder).end();
    server.close();
    const line = `127.0.0.1:${METRICS_PORT} is in use. Stop the program that uses it, or set METRICS_PORT.`;
    expect([code, said(stderr)]).toEqual([1, [line]]);
  });

  it('that names SQLite without its driver gets an error that says how to install it, in the service and in a command', async () => {
    await cp(dirname(bundled('cli')), join(folder, 'dist-bundled'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type": "module", "version": "1.0.0"}');
    await mkdir(join(folder, 'node_modules'));
    const metadata = resolve(import.meta.dirname, '../../../node_modules/reflect-metadata');
    await symlink(metadata, join(folder, 'node_modules/reflect-metadata'));
    for (const [program, ...args] of [['main'], ['cli', 'doctor']]) {
      const path = join(folder, 'dist-bundled', `${program}.js`);
      const environment = { PORT: '0', DATABASE_URL: 'sqlite:./data/petstore.db' };
      const { code, stderr } = await Program.start(path, args, environment, folder).end();
      expect([code, stderr.split('\n').length]).toEqual([1, 2]);
      expect(stderr).toMatch(/^.*better-sqlite3 cannot be loaded: .*Cannot find package 'better-sqlite3'/);
      expect(stderr).toContain(
        `(Node.js ${process.version}). Run "npm rebuild better-sqlite3" with this Node.js, or "npm ci" if the package is not installed.\n`,
      );
    }
  });
});

/** The lines on standard error, without lines at `info`, which a successful start logs as well. */
const said = (stderr: string) =>
  stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":30,'));
