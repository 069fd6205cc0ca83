// Mutation tests: Stryker changes one thing in the code, and the tests must notice.
//   npm run test:mutation                       all files; a mutant is not run again if its file and its tests are unchanged
//   npm run test:mutation -- --changed HEAD^    only the files that have changed since that commit
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EQUIVALENT } from './equivalent.mjs';
import config, { MUTATED } from './stryker.config.mjs';

const args = process.argv.slice(2);
const place = args.indexOf('--changed');
if (place !== -1) {
  const [, revision] = args.splice(place, 2);
  const which = MUTATED.map((path) => `:(glob)${path}`);
  const changed = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', revision, '--', ...which]);
  const files = changed.toString().split('\n').filter(Boolean);
  if (files.length === 0) {
    console.log(`No file that is mutated has changed since ${revision}.`);
    process.exit(0);
  }
  args.push('--mutate', files.join());
}
const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const child = spawn(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.mjs', ...args], {
  stdio: 'inherit',
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
  if (code === 0) tell(JSON.parse(readFileSync(config.jsonReporter.fileName, 'utf8')));
});

/** Prints how many mutants the tests notice, and the survivors that `equivalent.mjs` does not list. */
function tell({ files }) {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ status, replacement, location: { start, end } }) => {
      const text = lines.slice(start.line - 1, end.line);
      text.push(text.pop().slice(0, end.column - 1));
      const original = [text[0].slice(start.column - 1), ...text.slice(1)].join('\n');
      return { status, file, line: start.line, original, replacement };
    });
  });
  const having = (...statuses) => all.filter(({ status }) => statuses.includes(status));
  const noticed = having('Killed', 'Timeout');
  const survivors = having('Survived', 'NoCoverage');
  const known = EQUIVALENT.flatMap(({ mutants }) => mutants.map(String));
  const unknown = survivors.filter(
    ({ file, original, replacement }) => !known.includes(String([file, original, replacement])),
  );
  for (const { file, line, original, replacement } of unknown)
    console.log(`${file}:${line} survives: ${original} -> ${replacement}`);
  const total = noticed.length + survivors.length;
  const share = (count) => `${((100 * count) / total).toFixed(1)} %`;
  console.log(
    `${noticed.length} of ${total} mutants are noticed (${share(noticed.length)}); ` +
      `${survivors.length - unknown.length} make no difference, ${unknown.length} are left (${share(unknown.length)}).`,
  );
}
