import { chmod, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const CLI = resolve(import.meta.dirname, '../../dist/cli.js');

/** Writes the command `petstore` into a folder. @returns a `PATH` that begins with it */
export async function pathWithCommand(folder: string): Promise<string> {
  const file = join(folder, 'petstore');
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  await chmod(file, 0o755);
  return `${folder}:${process.env['PATH']}`;
}
