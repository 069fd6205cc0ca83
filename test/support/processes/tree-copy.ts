import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forgetFolder, keepFolder } from './keeper.js';
import type { Ending } from '../program.js';

const ROOT = resolve(import.meta.dirname, '../../..');

const git = (folder: string, ...args: string[]) =>
  // Where a machine checks out under one user and tests under another, git would refuse to look.
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: folder, encoding: 'utf8' });

/** This tree as it would be committed now, in a folder of its own, for tests that change it. */
export class TreeCopy {
  #running = new Set<ChildProcess>();

  private constructor(
    private readonly home: string,
    private readonly folder: string,
    /** Beside the tree: npm and Node.js take a folder below one for a part of it. */
    readonly temporary: string,
  ) {}

  /** `edit` changes files before anything counts as a change. */
  static async make(edit?: (path: (file: string) => string) => void): Promise<TreeCopy> {
    const home = await mkdtemp(join(tmpdir(), 'petstore-copy-'));
    keepFolder(home);
    const [folder, temporary] = [join(home, 'tree'), join(home, 'tmp')];
    for (const path of [folder, temporary]) await mkdir(path);
    const files = git(ROOT, 'ls-files', '-coz', '--exclude-standard').split('\0').filter(Boolean);
    for (const file of files) {
      // One that is deleted but not yet committed is listed, too.
      if (existsSync(join(ROOT, file))) await cp(join(ROOT, file), join(folder, file));
    }
    edit?.((file) => join(folder, file));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    git(folder, 'init', '--quiet');
    // A link is none of the folders that .gitignore names.
    await appendFile(join(folder, '.git/info/exclude'), '/node_modules\n');
    git(folder, 'add', '--all');
    return new TreeCopy(home, folder, temporary);
  }

  /** Runs a command to its end, with no terminal. Whatever it leaves behind is removed with the copy. */
  async run(
    command: string,
    args: string[],
    environment: Record<string, string> = {},
  ): Promise<Pick<Ending, 'code' | 'output'>> {
    const { PATH = '' } = process.env;
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { PATH, TMPDIR: this.temporary, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a process group, so that `remove` ends what the command has started
    });
    this.#running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    this.#running.delete(child);
    return { code, output };
  }

  /** What has changed since the copy was made, in the words of `git status --short`. */
  changes(...where: string[]): string[] {
    const status = git(this.folder, 'status', '--porcelain', '--untracked-files=all', '--', ...where);
    // The first column is about what was there at the beginning.
    return status.split('\n').flatMap((line) => (line[1]?.trim() ? [line.slice(1).trimStart()] : []));
  }

  /** Lines that were taken away from a file, or changed. */
  linesLost(file: string): number {
    return Number(git(this.folder, 'diff', '--numstat', '--', file).split('\t')[1]);
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  async remove(): Promise<void> {
    for (const { pid } of this.#running) process.kill(-pid!, 'SIGKILL');
    await Promise.all([...this.#running].map((child) => once(child, 'close')));
    await rm(this.home, { recursive: true, force: true });
    forgetFolder(this.home);
  }
}
