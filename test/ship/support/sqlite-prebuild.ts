import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';

const SQLITE = resolve(import.meta.dirname, '../../../node_modules/better-sqlite3');

/**
 * better-sqlite3 as this tree has it, in the form in which its makers offer it for download: an `npm ci` that is told where it
 * lies takes a second instead of the minute that compiling takes. What `npm ci` compiles is tested by whoever ran it here.
 */
export class SqlitePrebuild {
  readonly version = versionOf(join(SQLITE, 'package.json'));
  readonly #folder = mkdtempSync(join(tmpdir(), 'petstore-prebuild-'));

  constructor() {
    keepFolder(this.#folder);
    const { platform, arch, versions } = process;
    // As prebuild-install looks for it.
    const archive = `better-sqlite3-v${this.version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`;
    const addon = 'build/Release/better_sqlite3.node';
    execFileSync('tar', ['-czf', join(this.#folder, archive), '-C', SQLITE, addon]);
  }

  /** For npm. */
  get environment(): Record<string, string> {
    return { npm_config_better_sqlite3_local_prebuilds: this.#folder };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    forgetFolder(this.#folder);
  }
}

const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
