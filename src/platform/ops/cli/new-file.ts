import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadConfiguration, type Settings } from '../../config/settings.js';
import { printableLines } from '../../json/printable.js';
import type { Terminal } from './command-context.js';

/**
 * Without DATABASE_URL, a command uses the default file, and creates it if it does not exist. But the service may have another
 * database in its environment. @returns a function that reports the file if the command has created it @throws BadConfiguration
 * in production
 */
export function watchForNewFile({ production, database }: Settings, { env, stderr }: Terminal): () => void {
  if (env['DATABASE_URL'] || database.engine !== 'sqlite') return () => {};
  if (production)
    throw new BadConfiguration('DATABASE_URL: must be set in production, to the database of the service');
  const file = resolve(database.file);
  const isThere = existsSync(file);
  return () => {
    if (!isThere && existsSync(file))
      stderr.write(
        `petstore: created the database ${printableLines(file)}, because DATABASE_URL is not set\n`,
      );
  };
}
