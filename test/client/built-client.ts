import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepFolder } from '../support/processes/keeper.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** A folder in which the published form of `@petstore/client` is installed. */
export interface Installation {
  readonly folder: string;
  /** Folder of the package. */
  readonly home: string;
  /** Folder of the built files. */
  readonly dist: string;
}

let installation: Installation | undefined;

/** Packs a copy of the client and installs the archive; once per process. */
export const installClient = (): Installation => (installation ??= install());

function install(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  keepFolder(folder);
  const source = join(folder, 'source/client');
  const home = join(folder, 'node_modules/@petstore/client');
  const built = [join(ROOT, 'client/dist'), join(ROOT, 'client/node_modules')];
  cpSync(join(ROOT, 'client'), source, { recursive: true, filter: (path) => !built.includes(path) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'source/node_modules'));
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  // Without it npm installs into the nearest parent folder that has one, and removes the other packages there.
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--offline', `./${archive}`], { cwd: folder, stdio: 'pipe' });
  return { folder, home, dist: join(home, 'dist') };
}
