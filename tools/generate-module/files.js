import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder. */
export const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every migration of the source. */
export const migrationsUnder = (root) =>
  filesUnder(join(root, 'src')).filter((file) => file.endsWith('.migration.ts'));
