import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const file: string = resolve(import.meta.dirname, '../support/run/run-arguments.mjs');
const { vitestArguments } = (await import(file)) as {
  vitestArguments(args: readonly string[]): string[];
};

it.each([
  [[], ['run']],
  [['test/e2e/access'], ['run', 'test/e2e/access']],
  // After --changed the first folder would be taken for a commit, and none of its tests would run.
  [
    ['--changed'],
    ['run', 'test/unit', 'test/interleavings', 'test/contract', 'test/architecture', '--changed'],
  ],
  [
    ['--changed', 'HEAD~1'],
    ['run', 'test/unit', 'test/interleavings', 'test/contract', 'test/architecture', '--changed', 'HEAD~1'],
  ],
  [
    ['test/e2e', '--changed'],
    ['run', 'test/e2e', '--changed'],
  ],
])('npm test with %j runs the files that are meant', (args, words) => {
  expect(vitestArguments(args)).toEqual(words);
});
