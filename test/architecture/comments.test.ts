import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/read-text.js';
import { commentsIn, faultsIn, REWRITE, sentencesOf } from './prose.js';

const ROOT = join(import.meta.dirname, '../..');
const WRITTEN_SOURCE = /^(?!.*(?:\/node_modules\/|^tools\/dist\/|\/api-types\.ts$)).*\.m?[jt]s$/;

const faultsOfComments: [file: string, faults: string[]][] = ['src', 'client/src', 'mcp', 'tools', 'examples']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => WRITTEN_SOURCE.test(file))
  .map((file) => [file, faultsIn(commentsIn(readText(join(ROOT, file))))]);

describe('The comments of the source', () => {
  it('keep the rules of docs/style.md', () => {
    expect(faultsOfComments.length).toBeGreaterThan(300);
    const found = faultsOfComments.filter(([, faults]) => faults.length > 0);
    expect(found, REWRITE).toEqual([]);
  });
});

it('comments are read from their own lines, in blocks and line by line; a tag begins a sentence', () => {
  const source =
    "/** One, in ms. @throws Error if it is\n * late. */\nconst a = 'http://host // no';\n\n  // Two.\n  // It is\n  // wrapped.\n  b(); // no\n";
  expect(sentencesOf(commentsIn(source))).toEqual([
    'One, in ms.',
    '@throws Error if it is late.',
    'Two.',
    'It is wrapped.',
  ]);
});
