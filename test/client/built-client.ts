import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A folder of its own in which `@petstore/client` is installed, as it is published. */
export interface Installation {
  readonly folder: string;
  /** The built files. */
  readonly dist: string;
  remove(): void;
}

export function installClient(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  const home = join(folder, 'node_modules/@petstore/client');
  const dist = join(home, 'dist');
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'client'), '--outDir', dist]);
  cpSync(join(ROOT, 'client/package.json'), join(home, 'package.json'));
  return { folder, dist, remove: () => rmSync(folder, { recursive: true }) };
}
