// The OpenAPI documents of all releases, in docs/releases, and the changes of each version for clients.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, operationsOf } from './changes.js';

/** The folder of the project, in which npm starts its scripts. */
export const ROOT = process.cwd();
const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;
const byVersion = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Reads a file of JSON.
 * @param {string} root the root of the project
 * @param {string} file its path below that
 * @throws {Error} with a sentence that names the file
 */
export function read(root, file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message}. Take it from git, or write it again.`, {
      cause: error,
    });
  }
}

/**
 * The documents of all releases, oldest first.
 * @param {string} [root] the root of the project
 * @returns {{ version: string, document: any }[]}
 */
export function releases(root = ROOT) {
  const folder = join(root, 'docs/releases');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.sort(byVersion).map((file) => {
    const [, version] = RELEASE.exec(file) ?? [];
    if (!version) throw new Error(`docs/releases/${file} is not named after a version, such as 1.1.0.json.`);
    return { version, document: read(root, `docs/releases/${file}`) };
  });
}

/**
 * The version of the service in which an operation first appeared: the version of the first release that has it. While a release
 * is made, it is the version of package.json, and otherwise `unreleased`.
 * @param {string} operationId
 * @param {string} [root] the root of the project
 * @returns {string}
 */
export function sinceOf(operationId, root = ROOT) {
  const all = releases(root);
  const first = all.find(({ document }) => operationId in operationsOf(document));
  if (first) return first.version;
  const { version } = read(root, 'package.json');
  return all.some((release) => release.version === version) ? 'unreleased' : version;
}

/**
 * The changes of each version for clients, newest first. The first entry is `unreleased`, and often empty.
 * @typedef {{ operationId: string, address: string, summary: string }} Listed `address` is a text such as `GET /pets`
 * @typedef {{ operations: string[], what: string[] }} Changed changes that the same operations have, in words
 * @param {string} [root] the root of the project
 * @returns {{ version: string, added: Listed[], changed: Changed[], removed: Listed[] }[]}
 */
export function releaseChanges(root = ROOT) {
  const all = [...releases(root), { version: 'unreleased', document: read(root, 'docs/openapi.json') }];
  const told = all.map(({ version, document }, i) => {
    const before = all[i - 1]?.document ?? { paths: {} };
    const changes = changesBetween(before, document);
    const listed = (verb, operations) =>
      changes.flatMap(({ what, operations: [operationId] }) => {
        if (what !== `${operationId}: ${verb}`) return [];
        const { address, summary = '' } = operations[operationId];
        return { operationId, address, summary };
      });
    const [added, removed] = [
      listed('added', operationsOf(document)),
      listed('removed', operationsOf(before)),
    ];
    const whole = [...added, ...removed].map(({ operationId }) => operationId);
    const changed = grouped(changes.filter(({ operations }) => !whole.includes(operations[0])));
    return { version, added, changed, removed };
  });
  return told.reverse();
}

/** Many changes are equal when the name of their operation and their status are removed. They are listed once. */
function grouped(changes) {
  const texts = new Map();
  for (const { what, operations } of changes) {
    const [first] = operations;
    const text = what.replace(new RegExp(`^${first}(: |[.])`), '').replace(/ on [\d, ]+$/, '');
    texts.set(text, [...new Set([...(texts.get(text) ?? []), ...operations])]);
  }
  const groups = new Map();
  for (const [text, operations] of texts) {
    const key = operations.join();
    groups.set(key, { operations, what: [...(groups.get(key)?.what ?? []), text] });
  }
  return [...groups.values()];
}
