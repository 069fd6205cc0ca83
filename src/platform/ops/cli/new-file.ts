import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadConfiguration, type Settings } from '../../config/settings.js';
import type { Terminal } from './command-context.js';

/**
 * A command that is told of no database would use, and make, one of its own, while the service may have another in its
 * environment. @returns what tells of the file if it was made meanwhile @throws BadConfiguration in production
 */
export function watchForNewFile({ production, database }: Settings, { env, stderr }: Terminal): () => void {
  if (env['DATABASE_URL'] || database.engine !== 'sqlite') return () => {};
  if (production)
    throw new BadConfiguration('DATABASE_URL: must be set in production, to the database of the service');
  const file = resolve(database.file);
  const isThere = existsSync(file);
  return () => {
    if (!isThere && existsSync(file))
      stderr.write(`petstore: created the database ${file}, because DATABASE_URL is not set\n`);
  };
}
