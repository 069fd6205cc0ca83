import { createHash, hash } from 'node:crypto';

/** SHA-256 of records that are added one after another. */
export class RecordsHash {
  readonly #hash = createHash('sha256');

  add(text: string): void {
    this.#hash.update(text);
  }

  /** The hash of all records up to now, in hex. */
  get hex(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** SHA-256 of an import's name, in hex. It differs from the hash of every file, which version 1.1 stored in the same column. */
export const hashOfName = (name: string): string => hash('sha256', `resume:${name}`);
