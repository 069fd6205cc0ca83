import { createHash, hash } from 'node:crypto';

/** SHA-256 of records, which are added one after another. */
export class RecordsHash {
  readonly #hash = createHash('sha256');

  add(text: string): void {
    this.#hash.update(text);
  }

  /** Of all up to here, in hex. */
  get hex(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** SHA-256 of an import's name, in hex, which is that of no file: version 1.1 has those in the same column. */
export const hashOfName = (name: string): string => hash('sha256', `resume:${name}`);
