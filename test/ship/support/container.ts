import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programPath } from '../../support/processes/local-program.js';
import { Program } from '../../support/program.js';
import type { Image } from './image-build.js';

/** Where a program of the base image is looked for. */
const PATH = '/usr/local/bin';

/** Whether this machine can run a program in another root, as another user. */
export const canChangeRoot = (): boolean => process.getuid?.() === 0;

/** Puts into the image what its base would bring: Node, with the libraries that it was linked to, and nothing more. */
export function addNode({ root }: Image): void {
  const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [library] of linked.matchAll(/\/\S+/g)) copy(library, join(root, library));
  copy(process.execPath, join(root, PATH, 'node'));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

/** Runs a command in the image as an engine does: nothing of this machine is there, and it is the image's user who runs it. */
export function runIn(image: Image, command: readonly string[], more: Record<string, string>): Program {
  const { root, user, env } = image;
  return Program.run(programPath('chroot')!, [`--userspec=${user}`, root, ...command], {
    ...env,
    ...more,
    PATH,
  });
}
