// Copies the content of the package into this folder: the files that the image has in /app into `app`, and the documents beside it.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const APP = join(HERE, 'app');

/** Runs npm in a folder. It prints to standard error, because standard output belongs to `npm pack`, which runs this script. */
const npm = (folder, ...args) =>
  execFileSync('npm', [...args, '--prefix', folder], { cwd: folder, stdio: ['ignore', 2, 'inherit'] });

for (const folder of ['app', 'client', 'deploy', 'docs'])
  rmSync(join(HERE, folder), { recursive: true, force: true });
mkdirSync(APP);
for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(ROOT, file), join(APP, file));
npm(APP, 'pkg', 'delete', 'devDependencies', 'workspaces');
// Install scripts would compile for this machine, but the package is installed on other machines.
npm(APP, 'ci', '--omit=optional', '--ignore-scripts', '--prefer-offline');
for (const file of ['package-lock.json', '.npmrc']) rmSync(join(APP, file));

npm(ROOT, 'run', '--silent', 'build');
cpSync(join(ROOT, 'dist'), join(APP, 'dist'), { recursive: true });
for (const file of [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  '.env.example',
  'client/LICENSE',
  'client/README.md',
  'deploy/compose',
  'deploy/kubernetes',
  'deploy/logrotate',
  ...['Dockerfile', 'package.json', 'package-lock.json', 'start.mjs', 'tracing.mjs', 'variables.mjs'].map(
    (file) => `deploy/otel/${file}`,
  ),
  'deploy/systemd',
  'docs/README.md',
  'docs/api.md',
  'docs/decisions',
  'docs/dependencies.md',
  'docs/glossary.md',
  'docs/modules',
  'docs/openapi.json',
  'docs/operations',
  'docs/operations.md',
  'docs/quick-start.md',
  'docs/reliability.md',
  'docs/scaling.md',
]) {
  cpSync(join(ROOT, file), join(HERE, file), { recursive: true });
}

/** Replaces links to files that only the source has. */
const withoutDeadLinks = (text, folder) =>
  text.replaceAll(/\[([^\]]*)\]\(([^)\s#]+)[^)]*\)/g, (link, words, target) =>
    /^[a-z]+:/.test(target) || existsSync(join(folder, target)) ? link : `${words} (in the source)`,
  );
for (const name of readdirSync(HERE, { recursive: true })) {
  if (!name.endsWith('.md') || name.startsWith('app/')) continue;
  const file = join(HERE, name);
  writeFileSync(file, withoutDeadLinks(readFileSync(file, 'utf8'), dirname(file)));
}
