import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withModule, withRows } from './edits.js';
import { filesUnder, migrationsUnder } from './files.js';
import { namesFrom } from './refusals.js';

const ROOT = resolve(import.meta.dirname, '../..');
const TEMPLATES = join(import.meta.dirname, 'templates');
/** The end of a migration's name, by which TypeORM orders migrations. */
const STAMP = /readonly name = '\w*?(\d{13})'/;

/** Now, but after every migration that is there, whatever the clock of this machine says. */
function nextStamp() {
  const stamps = migrationsUnder(ROOT).map((file) =>
    Number(STAMP.exec(readFileSync(file, 'utf8'))?.[1] ?? 0),
  );
  return Math.max(Date.now(), ...stamps.map((stamp) => stamp + 1));
}

async function write(file, text) {
  const style = await resolveConfig(file);
  writeFileSync(file, await format(text, { ...style, filepath: file }));
}

/** What the command says last, below what plop has to say. */
const nextSteps = ({ folder, file }) => `
How to go on:              docs/adding-a-module.md
What may be added:         src/${folder}/domain/new-${file}.ts
The tests of the module:   npx vitest run ${folder} ${file}
`;

/** @param {import('plop').NodePlopAPI} plop */
export default function (plop) {
  const templates = filesUnder(TEMPLATES);
  const target = (names, file) =>
    join(ROOT, plop.renderString(file.slice(TEMPLATES.length).replace(/\.hbs$/, ''), names));

  plop.setGenerator('module', {
    description: 'writes a module with its tests and its place in the documents',

    // Read from the command line and never asked for: where tests run there is nobody to answer.
    prompts() {
      const args = process.argv.slice(process.argv.indexOf('module') + 1);
      const names = { ...namesFrom(args, ROOT, templates), milliseconds: nextStamp() };
      const taken = templates.map((file) => target(names, file)).filter((file) => existsSync(file));
      if (taken.length > 0) throw new Error(`${taken.join(', ')} is there already. Nothing was written.`);
      const edited = [
        ['src/app.module.ts', withModule],
        ['docs/api.md', withRows],
      ].map(([file, change]) => [join(ROOT, file), change(readFileSync(join(ROOT, file), 'utf8'), names)]);
      return { ...names, edited };
    },

    actions: (names) => [
      { type: 'addMany', destination: ROOT, base: 'templates', templateFiles: 'templates/**' },
      async function edit() {
        for (const [file, text] of names.edited) await write(file, text);
        for (const file of templates.map((template) => target(names, template)))
          await write(file, readFileSync(file, 'utf8'));
        return 'added to src/app.module.ts and docs/api.md, and formatted';
      },
      function document() {
        execFileSync('npm', ['run', '-s', 'document'], { cwd: ROOT, stdio: 'inherit' });
        process.once('exit', () => process.stdout.write(nextSteps(names)));
        return 'wrote docs/openapi.json and client/src/api-types.ts';
      },
    ],
  });
}
