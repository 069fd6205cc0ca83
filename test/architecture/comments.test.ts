import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/read-text.js';
import { commentsIn, faultsIn, sentencesOf } from './prose.js';

const ROOT = join(import.meta.dirname, '../..');
/** Folders whose comments break rules. A folder that has become clean leaves this list, so the list only becomes shorter. */
const NOT_YET_REWRITTEN = ['src/platform/database'];
const WRITTEN_SOURCE = /^(?!.*(?:\/node_modules\/|^tools\/dist\/|\/api-types\.ts$)).*\.m?[jt]s$/;

const faultsOfComments: [file: string, faults: string[]][] = ['src', 'client/src', 'mcp', 'tools', 'examples']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => WRITTEN_SOURCE.test(file))
  .map((file) => [file, faultsIn(commentsIn(readText(join(ROOT, file))))]);
const isBelow = (folder: string, file: string) => file.startsWith(`${folder}/`);

describe('The comments of the source', () => {
  it('keep the rules of docs/style.md', () => {
    expect(faultsOfComments.length).toBeGreaterThan(300);
    expect(
      faultsOfComments.filter(
        ([file, faults]) => faults.length > 0 && !NOT_YET_REWRITTEN.some((folder) => isBelow(folder, file)),
      ),
    ).toEqual([]);
  });

  it.each(NOT_YET_REWRITTEN)(
    'in %s still break a rule; remove a clean folder from NOT_YET_REWRITTEN',
    (folder) => {
      const found = faultsOfComments.filter(([file]) => isBelow(folder, file));
      expect(found.flatMap(([, faults]) => faults)).not.toEqual([]);
    },
  );
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
