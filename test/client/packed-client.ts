import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepFolder } from '../support/processes/keeper.js';

const ROOT = resolve(import.meta.dirname, '../..');

interface PackedClient {
  /** A folder for the archive alone. */
  readonly folder: string;
  readonly archive: string;
}

/** Packs a copy of `@petstore/client`, which compiles the client twice. */
export function packClient(): PackedClient {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-packed-'));
  keepFolder(folder);
  const source = join(folder, 'source/client');
  const built = [join(ROOT, 'client/dist'), join(ROOT, 'client/node_modules')];
  cpSync(join(ROOT, 'client'), source, { recursive: true, filter: (path) => !built.includes(path) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'source/node_modules'));
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  return { folder, archive: join(folder, name!) };
}
