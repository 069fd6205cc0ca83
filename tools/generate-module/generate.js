import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommanderError } from 'commander';
import { BadInput } from './bad-input.js';
import { withModule, withWiring } from './edits.js';
import { textOf, write } from './files.js';
import { apply, clearUp, folderOf, runsIn } from './journal.js';
import { format, render, seamsOf } from './render.js';
import { NOTHING_WRITTEN, requestFrom } from './request.js';
import { changesIn, checkPaths } from './staging.js';
import { viewOf } from './view.js';

const ROOT = resolve(import.meta.dirname, '../..');
const APP_MODULE = 'src/app.module.ts';

// The process that reads the output may end before the generator has finished.
process.stdout.on('error', () => undefined);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    // On Linux a killed process remains as a zombie until its parent has read its exit code.
    const stat = `/proc/${pid}/stat`;
    return !(existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z '));
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Cleans up after interrupted runs. @throws Error if another run is active */
function clearUpBehindOthers() {
  mkdirSync(folderOf(ROOT, process.pid), { recursive: true });
  for (const pid of runsIn(ROOT).filter((other) => other !== process.pid)) {
    if (isAlive(pid))
      throw new Error(`Another run of the generator is active: process ${pid}. Wait until it ends.`);
    console.log(`An earlier run of the generator (process ${pid}) was killed. ${clearUp(ROOT, pid)}`);
  }
}

/** The files that exist already, with the new module or entity added, as [path, text]. */
function extended(copy, view) {
  const text = (path) => textOf(join(copy, path));
  if (!view.into) return [[APP_MODULE, withModule(text(APP_MODULE), view)]];
  const [wiring, publicApi] = [`src/${view.home}/${view.home}.module.ts`, `src/${view.home}/index.ts`];
  const [wired, opened] = seamsOf(view);
  const events = opened.split('\n').filter((line) => line.includes('-events.js'));
  return [
    [wiring, withWiring(text(wiring), wired, wiring)],
    [publicApi, text(publicApi) + events.join('\n')],
  ];
}

async function generate(view) {
  const folder = folderOf(ROOT, process.pid);
  const copy = join(folder, 'tree');
  const files = render(view);
  checkPaths(ROOT, [...files.map(([path]) => path), ...(view.into ? [] : [`docs/canvas/${view.home}.md`])]);
  const changes = await changesIn(ROOT, copy, async () => {
    for (const [path, text] of [...files, ...extended(copy, view)])
      write(join(copy, path), await format(join(ROOT, path), text));
    if (view.document) execFileSync('npm', ['run', '-s', 'document'], { cwd: copy, stdio: 'pipe' });
  });
  apply(ROOT, folder, changes);
  return changes;
}

/** What is left to do: the values that the service gives, and what `--no-document` has not written. */
const leftIn = ({ starts, document, home, file, folder }) =>
  [
    ...(starts.length > 0 ? [`First values of fields:    create in src/${home}/domain/${file}.ts`] : []),
    ...(document
      ? []
      : [`Run after the last module: npm run document, without which test/e2e/${folder}.test.ts fails`]),
  ].map((line) => `${line}\n`);

/** The final message. */
const report = (changes, view) => `${changes
  .map(({ path, old }) => `${old ? 'changed' : 'wrote  '} ${path}`)
  .join('\n')}

${leftIn(view).join('')}Tutorial:                  docs/adding-a-module.md
What to do next:           docs/module-recipes.md
Rules for new entities:    src/${view.home}/domain/new-${view.file}.ts
Test data:                 test/support/${view.file}-builder.ts
The tests of the module:   npx vitest run ${view.folder} ${view.file}`;

try {
  clearUpBehindOthers();
  const view = viewOf(requestFrom(process.argv.slice(2)), ROOT);
  console.log(report(await generate(view), view));
} catch (error) {
  process.exitCode =
    error.exitCode === 0 ? 0 : error instanceof BadInput || error instanceof CommanderError ? 2 : 1;
  // Commander has printed its errors already.
  if (error instanceof BadInput) console.error(`${error.message}\n${NOTHING_WRITTEN}`);
  else if (!(error instanceof CommanderError))
    console.error(`${error.stdout ?? ''}${error.message}\nNothing was written.`);
} finally {
  clearUp(ROOT, process.pid);
}
