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
  // Without this, git rejects a checkout that belongs to another user than the user who runs the tests.
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: folder, encoding: 'utf8' });

/** A command that has been started. */
export interface Running {
  /** What it has printed until now. */
  printed(): string;
  interrupt(): void;
  readonly ended: Promise<Pick<Ending, 'code' | 'output'>>;
}

/** A copy of this tree as it would be committed now, for tests that change it. */
export class TreeCopy {
  #running = new Set<ChildProcess>();

  private constructor(
    private readonly home: string,
    private readonly folder: string,
    /** Outside the tree: npm and Node.js treat a folder inside it as a part of it. */
    readonly temporary: string,
  ) {}

  /** `edit` changes files before the baseline of `changes` is recorded. `name` is the name of the tree's folder. */
  static async make(edit?: (path: (file: string) => string) => void, name = 'tree'): Promise<TreeCopy> {
    const home = await mkdtemp(join(tmpdir(), 'petstore-copy-'));
    keepFolder(home);
    const [folder, temporary] = [join(home, name), join(home, 'tmp')];
    for (const path of [folder, temporary]) await mkdir(path);
    const files = git(ROOT, 'ls-files', '-coz', '--exclude-standard').split('\0').filter(Boolean);
    for (const file of files) {
      // A file whose deletion is not committed yet is listed too.
      if (existsSync(join(ROOT, file))) await cp(join(ROOT, file), join(folder, file));
    }
    edit?.((file) => join(folder, file));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    git(folder, 'init', '--quiet');
    // The pattern for folders in .gitignore does not match a symbolic link.
    await appendFile(join(folder, '.git/info/exclude'), '/node_modules\n');
    git(folder, 'add', '--all');
    return new TreeCopy(home, folder, temporary);
  }

  /** Runs a command to completion, without a terminal. Its temporary files are removed with the copy. */
  run(
    command: string,
    args: string[],
    environment: Record<string, string> = {},
  ): Promise<Pick<Ending, 'code' | 'output'>> {
    return this.start(command, args, environment).ended;
  }

  /** Starts a command, which runs until it ends, or until `interrupt`, which is Ctrl-C in a terminal. */
  start(command: string, args: string[], environment: Record<string, string> = {}): Running {
    const { PATH = '' } = process.env;
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { PATH, TMPDIR: this.temporary, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // A process group, so that `remove` ends everything that the command has started.
    });
    this.#running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const ended = once(child, 'close').then(([code]) => {
      this.#running.delete(child);
      return { code: code as number | null, output };
    });
    return { printed: () => output, interrupt: () => process.kill(-child.pid!, 'SIGINT'), ended };
  }

  /** What has changed since the copy was made, in the format of `git status --short`. */
  changes(...where: string[]): string[] {
    const status = git(this.folder, 'status', '--porcelain', '--untracked-files=all', '--', ...where);
    // The first column describes the initial state, which is the index.
    return status.split('\n').flatMap((line) => (line[1]?.trim() ? [line.slice(1).trimStart()] : []));
  }

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
