import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';

const SQLITE = resolve(import.meta.dirname, '../../../node_modules/better-sqlite3');

/**
 * better-sqlite3 of this tree, packed like the prebuilt archive that its authors publish: an `npm ci` that is given its
 * location takes a second instead of the minute for compiling. Compiling is covered by the `npm ci` that was run here.
 */
export class SqlitePrebuild {
  readonly version = versionOf(join(SQLITE, 'package.json'));
  readonly #folder = mkdtempSync(join(tmpdir(), 'petstore-prebuild-'));

  constructor() {
    keepFolder(this.#folder);
    const { platform, arch, versions } = process;
    // The file name that prebuild-install looks for.
    const archive = `better-sqlite3-v${this.version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`;
    const addon = 'build/Release/better_sqlite3.node';
    execFileSync('tar', ['-czf', join(this.#folder, archive), '-C', SQLITE, addon]);
  }

  /** Environment variables for npm. */
  get environment(): Record<string, string> {
    return { npm_config_better_sqlite3_local_prebuilds: this.#folder };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    forgetFolder(this.#folder);
  }
}

const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
