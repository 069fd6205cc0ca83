import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from './local-program.js';

const LIBRARIES = '/usr/lib';

/** The path of the library of Debian's package `libfaketime`, on any architecture. */
function libraryPath(): string | undefined {
  const folders = readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1'));
  return folders.find((path) => existsSync(path));
}

/** The wall clock of one program, which a test can set wrong; the program's monotonic clock stays right. */
export class MovedClock {
  readonly #file: string;
  readonly #timers: string;

  constructor(folder: string) {
    this.#timers = join(folder, 'absolute-timers.so');
    const source = join(import.meta.dirname, 'absolute-timers.c');
    execFileSync('cc', ['-shared', '-fPIC', '-o', this.#timers, source]);
    this.#file = join(folder, 'clock');
    this.move(0);
    chmodSync(this.#file, 0o644); // Servers run as another user.
  }

  static isInstalled(): boolean {
    return libraryPath() !== undefined && programPath('cc') !== undefined;
  }

  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: `${this.#timers}:${libraryPath()!}`,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets the error of the clock in seconds, fast or, if negative, slow; in effect at most a second later. */
  move(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  }
}
