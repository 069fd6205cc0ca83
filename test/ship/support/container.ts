import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programPath } from '../../support/processes/local-program.js';
import { Program } from '../../support/program.js';
import type { Image } from './image-build.js';

/** Search path for programs of the base image. */
const PATH = '/usr/local/bin';

/** Whether this machine can run a program under another root, as another user. */
export const canChangeRoot = (): boolean => process.getuid?.() === 0;

/** Adds what the base image would provide: Node with its linked libraries, and nothing more. */
export function addNode({ root, node: { program } }: Image): void {
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' });
  for (const [library] of linked.matchAll(/\/\S+/g)) copy(library, join(root, library));
  copy(program, join(root, PATH, 'node'));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

/** Runs a command in the image like a container engine: without files of this machine, and as the image's user. */
export function runIn(image: Image, command: readonly string[], more: Record<string, string>): Program {
  const { root, user, env } = image;
  return Program.run(programPath('chroot')!, [`--userspec=${user}`, root, ...command], {
    ...env,
    ...more,
    PATH,
  });
}
