// Mutation tests: Stryker changes one thing in the code, and the tests must notice.
//   npm run test:mutation                       all files; a mutant is not run again if its file and its tests are unchanged
//   npm run test:mutation -- --changed HEAD^    only the files that have changed since that commit
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EQUIVALENT } from './equivalent.mjs';
import { nameOf } from './name-of.mjs';
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

/** Prints how many mutants the tests notice, and how the survivors differ from the list in `equivalent.mjs`. */
function tell({ files }) {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({
      status: mutant.status,
      name: nameOf(file, source, mutant).join(' '),
      line: mutant.location.start.line,
    })),
  );
  const having = (...statuses) => all.filter(({ status }) => statuses.includes(status));
  const noticed = having('Killed', 'Timeout');
  const survivors = new Map();
  for (const { name, line } of having('Survived', 'NoCoverage'))
    survivors.set(name, [...(survivors.get(name) ?? []), line]);
  const known = new Map(
    EQUIVALENT.flatMap(({ mutants }) => mutants)
      .filter(([file]) => files[file])
      .map(([file, place, mutator, words, count = 1]) => [[file, place, mutator, words].join(' '), count]),
  );
  let [equivalent, left] = [0, 0];
  for (const [name, lines] of survivors) {
    const listed = Math.min(known.get(name) ?? 0, lines.length);
    equivalent += listed;
    left += lines.length - listed;
    if (listed < lines.length)
      console.log(`survives in line ${lines.join(', ')}, and ${listed} of these are equivalent: ${name}`);
  }
  for (const [name, count] of known)
    if (all.filter((mutant) => mutant.name === name).length < count)
      console.log(`equivalent.mjs names mutants that do not exist: ${name}`);
  const total = noticed.length + equivalent + left;
  const share = (count) => `${((100 * count) / total).toFixed(1)} %`;
  console.log(
    `${noticed.length} of ${total} mutants are noticed (${share(noticed.length)}); ` +
      `${equivalent} make no difference, ${left} are left (${share(left)}).`,
  );
}
