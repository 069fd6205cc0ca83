import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The version of this package. */
export const version = (): string =>
  (
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      version: string;
    }
  ).version;
