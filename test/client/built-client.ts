import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { keepFolder } from '../support/processes/keeper.js';
import { packClient } from './packed-client.js';

/** A folder in which the published form of `@petstore/client` is installed. */
export interface Installation {
  readonly folder: string;
  /** Folder of the package. */
  readonly home: string;
  /** Folder of the built files. */
  readonly dist: string;
}

let installation: Installation | undefined;

/** Installs the archive of the client, which is packed once for the run; once per process. */
export const installClient = (): Installation => (installation ??= install());

function install(): Installation {
  const archive = inject('clientArchive') ?? packClient().archive;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  keepFolder(folder);
  const home = join(folder, 'node_modules/@petstore/client');
  // Without it npm installs into the nearest parent folder that has one, and removes the other packages there.
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--offline', archive], { cwd: folder, stdio: 'pipe' });
  return { folder, home, dist: join(home, 'dist') };
}
