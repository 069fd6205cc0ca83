import { closeSync, openSync, writeSync } from 'node:fs';

/** A file that lines are added to, one after the other: each is with the system when `write` returns. */
export class TextFile {
  readonly #file: number;

  /** `keep`: what it holds stays; else it is emptied first. */
  constructor(path: string, { keep }: { keep: boolean }) {
    this.#file = openSync(path, keep ? 'a' : 'w');
  }

  write(line: string): void {
    writeSync(this.#file, `${line}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}
