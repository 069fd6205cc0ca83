import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetFolder, keepFolder, keepProcess } from '../processes/keeper.js';
import { programPath } from '../processes/local-program.js';

const SCRIPT = 'mount -t tmpfs -o size=$1 tmpfs "$2" && echo ready && exec sleep infinity';

/** A tmpfs that can be filled, visible only in its own mount namespace; it is gone when the process that holds it ends. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly holder: { readonly pid?: number | undefined; kill(signal: 'SIGKILL'): boolean },
  ) {}

  /** Whether a disk can be created on this machine; that needs root or equivalent privileges. */
  static isPossible(): boolean {
    if (['nsenter', 'unshare'].some((program) => programPath(program) === undefined)) return false;
    try {
      execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  static async create(size: string): Promise<SmallDisk> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'));
    keepFolder(folder);
    const args = ['--mount', 'sh', '-c', SCRIPT, 'sh', size, folder];
    const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    keepProcess(holder.pid!, once(holder, 'exit'));
    await once(holder.stdout, 'data');
    return new SmallDisk(folder, holder);
  }

  get pid(): number {
    return this.holder.pid!;
  }

  /** The prefix that makes a command see the disk. */
  get command(): readonly string[] {
    return ['nsenter', '--target', String(this.pid), '--mount', '--'];
  }

  fill(): void {
    this.#run('dd if=/dev/zero of="$1/filling" bs=4k 2>/dev/null; true');
  }

  makeRoom(): void {
    this.#run('rm "$1/filling"');
  }

  remove(): void {
    this.holder.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }

  #run(script: string): void {
    const [program, ...args] = [...this.command, 'sh', '-c', script, 'sh', this.folder];
    execFileSync(program!, args);
  }
}
