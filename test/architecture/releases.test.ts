import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { releases } from '../../tools/openapi/release-changes.js';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readText(join(ROOT, file));
const { version } = JSON.parse(read('package.json')) as { version: string };

it('the OpenAPI document breaks nothing for clients that the changelog does not name; see npm run document:compare', () => {
  const { status, stderr } = spawnSync('node', ['tools/openapi/compare.js'], { cwd: ROOT, encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
});

it('each version of the changelog has its OpenAPI document in docs/releases, and the last version is the version of the package', () => {
  const versions = [...read('CHANGELOG.md').matchAll(/^## \[(\d.*?)\] - \d{4}-\d{2}-\d{2}$/gm)].map(
    ([, one]) => one,
  );
  expect(versions.toReversed()).toEqual(releases().map((release) => release.version));
  expect(versions[0]).toBe(version);
});

it.each([
  ['package-lock.json', /^ {2,6}"name": "(?:petstore|@petstore\/client)",\n +"version": "(.+)",$/gm],
  ['mcp/package.json', /^ {2}"version": "(.+)",$/gm],
  ['mcp/package-lock.json', /^ +"name": "(?:petstore-mcp|@petstore\/client)",\n +"version": "(.+)",$/gm],
  ['client/package.json', /^ {2}"version": "(.+)",$/gm],
  ['client/src/client-options.ts', /^export const VERSION = '(.+)';$/gm],
  ['deploy/npm/package.json', /^ {2}"version": "(.+)",$/gm],
  ['compose.yaml', /^ {2}image: petstore:(.+)$/gm],
  ['deploy/otel/Dockerfile', /^FROM petstore:(.+)$/gm],
  ['deploy/kubernetes/kustomization.yaml', /^ {4}newTag: (.+)$/gm],
  ['docs/operations.md', /\bpetstore[-:](\d+\.\d+\.\d+)\b/g],
  ['docs/operations/deployment.md', /\bpetstore[-:](\d+\.\d+\.\d+)\b/g],
  ['docs/operations/traces.md', /\bpetstore[-:](\d+\.\d+\.\d+)\b/g],
])('%s has the version of the package', (file, pattern) => {
  const found = [...read(file).matchAll(pattern)].map(([, one]) => one);
  expect([...new Set(found)]).toEqual([version]);
});
