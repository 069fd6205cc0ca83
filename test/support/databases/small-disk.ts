import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetFolder, keepFolder, keepProcess } from '../processes/keeper.js';
import { programPath } from '../processes/local-program.js';

const SCRIPT = 'mount -t tmpfs -o size=$1 tmpfs "$2" && echo ready && exec sleep infinity';

/** A disk that can be filled, seen by the commands that are put into it alone: it is gone with the process that holds it. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly holder: { readonly pid?: number | undefined; kill(signal: 'SIGKILL'): boolean },
  ) {}

  /** Whether this machine lets us make one; it takes root, or as much. */
  static isPossible(): boolean {
    if (['nsenter', 'unshare'].some((program) => programPath(program) === undefined)) return false;
    try {
      execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  /** `size` as in the options of a mount, such as 2m. */
  static async create(size: string): Promise<SmallDisk> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'));
    keepFolder(folder);
    const args = ['--mount', 'sh', '-c', SCRIPT, 'sh', size, folder];
    const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    keepProcess(holder.pid!, once(holder, 'exit'));
    await once(holder.stdout, 'data');
    return new SmallDisk(folder, holder);
  }

  /** Of a process that sees the disk. */
  get pid(): number {
    return this.holder.pid!;
  }

  /** What is put before a command so that it sees the disk. */
  get command(): readonly string[] {
    return ['nsenter', '--target', String(this.pid), '--mount', '--'];
  }

  /** Leaves not a byte free. */
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
