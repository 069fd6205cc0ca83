import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TreeCopy } from '../support/tree-copy.js';

let copy: TreeCopy;
beforeAll(async () => (copy = await TreeCopy.make()));
afterAll(() => copy.remove());

it('npm test -- --changed runs the unit tests of what has changed', { timeout: 240_000 }, async () => {
  const author = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@shop.example'];
  await copy.run('git', [...author, 'commit', '--quiet', '-m', 'as it is']);
  appendFileSync(copy.path('src/pets/domain/pet-name.ts'), '\n// changed\n');
  const results = copy.path('tmp/results.json');
  const { code, output } = await copy.run('npm', ['test', '--', '--changed'], { RESULTS_FILE: results });
  expect(code, output).toBe(0);
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: { name: string }[] };
  const run = testResults.map(({ name }) => relative(copy.path('.'), name));
  expect(run).toEqual(expect.arrayContaining(['test/unit/pets/pet-name.test.ts']));
  expect(run).not.toContain('test/unit/access/api-key.test.ts');
});
