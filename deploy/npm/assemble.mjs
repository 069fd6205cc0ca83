// Puts into this folder what the package holds: in `app` what the image has in /app, beside it what its users read.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const APP = join(HERE, 'app');

/** Runs npm in a folder; standard output belongs to the `npm pack` that called. */
const npm = (folder, ...args) =>
  execFileSync('npm', [...args, '--prefix', folder], { cwd: folder, stdio: ['ignore', 2, 'inherit'] });

rmSync(APP, { recursive: true, force: true });
mkdirSync(APP);
for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(ROOT, file), join(APP, file));
npm(APP, 'pkg', 'delete', 'devDependencies', 'workspaces');
// Nothing is compiled here for a machine elsewhere.
npm(APP, 'ci', '--omit=optional', '--ignore-scripts', '--prefer-offline');
for (const file of ['package-lock.json', '.npmrc']) rmSync(join(APP, file));

npm(ROOT, 'run', '--silent', 'build');
// The pages of /docs are made of the last four.
for (const path of ['dist', 'docs/api.md', 'docs/quick-start.md', 'docs/modules', 'CHANGELOG.md'])
  cpSync(join(ROOT, path), join(APP, path), { recursive: true });
for (const file of [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  '.env.example',
  'docs/api.md',
  'docs/quick-start.md',
  'docs/modules',
  'docs/operations.md',
]) {
  cpSync(join(ROOT, file), join(HERE, file), { recursive: true });
}
