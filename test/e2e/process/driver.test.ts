import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { Program } from '../../support/program.js';

const packages = resolve(import.meta.dirname, '../../../node_modules');

/** The programs without better-sqlite3. */
let folder: string;
beforeAll(() => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'petstore-driver-'));
  cpSync(dirname(bundled('cli')), join(folder, 'dist-bundled'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "version": "1.0.0"}');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['reflect-metadata', 'bindings', 'file-uri-to-path'])
    symlinkSync(join(packages, name), join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a driver of SQLite', () => {
  const REMEDY =
    'Run "npm rebuild better-sqlite3" with this Node.js, or "npm ci" if the package is not installed.\n';

  it('that is not installed says how to build it: the service, and a command', async () => {
    const environment = { PORT: '0', DATABASE_URL: 'sqlite:./data/petstore.db' };
    for (const [program, ...args] of [['main'], ['cli', 'doctor']]) {
      const path = join(folder, 'dist-bundled', `${program}.js`);
      const { code, stderr } = await Program.start(path, args, environment, folder).end();
      expect([code, stderr.split('\n').length]).toEqual([1, 2]);
      expect(stderr).toMatch(/^.*better-sqlite3 cannot be loaded: .*Cannot find package 'better-sqlite3'/);
      expect(stderr).toContain(`(Node.js ${process.version}). ${REMEDY}`);
    }
  });
});
