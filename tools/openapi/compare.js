// npm run document:compare. Fails if docs/openapi.json breaks clients of the last release and the changelog does not name it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween } from './changes.js';
import { read, releases, ROOT } from './release-changes.js';

/** The breaks that are named below "Unreleased". Line breaks in a text do not matter. */
function namedBreaks(root) {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const unreleased = sections.find((section) => section.startsWith('[Unreleased]'));
  if (unreleased === undefined) throw new Error('CHANGELOG.md has no section "## [Unreleased]". Add it.');
  return [...unreleased.matchAll(/`breaking: ([^`]+)`/g)].map(([, what]) => what.replace(/\s+/g, ' '));
}

/** @returns {string} the result, as a sentence @throws {Error} with what to do, if something is wrong */
function compare(root) {
  const last = releases(root).at(-1);
  if (!last) throw new Error('There is no release in docs/releases to compare with. Take them from git.');
  const changes = changesBetween(last.document, read(root, 'docs/openapi.json'));
  const breaks = changes.filter((change) => change.breaks).map(({ what }) => what);
  const named = namedBreaks(root);
  const lines = (list) => list.map((what) => `- \`breaking: ${what}\``).join('\n');
  const unnamed = lines(breaks.filter((what) => !named.includes(what)));
  if (unnamed)
    throw new Error(`docs/openapi.json breaks clients of ${last.version}:

${unnamed}

Take it back. If it has to be, add these lines below "Unreleased" in CHANGELOG.md, and say what clients do instead.`);
  const untrue = lines(named.filter((what) => !breaks.includes(what)));
  if (untrue)
    throw new Error(`docs/openapi.json does not break what CHANGELOG.md says below "Unreleased":

${untrue}

Remove or correct these lines.`);
  const broken = breaks.length === 0 ? 'nothing' : `what CHANGELOG.md names (${breaks.length})`;
  const others = changes.length - breaks.length;
  return `docs/openapi.json breaks ${broken} of ${last.version}; ${others} other ${others === 1 ? 'change' : 'changes'}.`;
}

try {
  console.log(compare(process.argv[2] ?? ROOT));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
