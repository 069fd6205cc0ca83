import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs third-party packages by the lock file in a folder, unless they are still there from an earlier run.
 * @returns the folder above their `node_modules`
 */
export async function installByLock(source: string, ...options: string[]): Promise<string> {
  const lock = readFileSync(join(source, 'package-lock.json'));
  const name = `petstore-${basename(source)}-${createHash('sha1').update(lock).digest('hex')}`;
  const installed = join(tmpdir(), name);
  if (!existsSync(installed)) {
    const part = await mkdtemp(join(tmpdir(), `${name}-part-`));
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(part, file));
    await run('npm', ['ci', '--no-audit', '--no-fund', ...options], { cwd: part, maxBuffer: 1e8 });
    renameSync(part, installed);
  }
  return installed;
}
