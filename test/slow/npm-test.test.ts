import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

// Which arguments vitest gets: test/unit/tools/npm-test.test.ts. What test files need: test/unit/tools/run-needs.test.ts.
it('npm test with named files runs only these, and prepares only what they need', () => {
  const files = ['test/unit/counter.test.ts', 'test/architecture/planted-faults.test.ts'];
  // The variables of this run would make the other one a part of it.
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/run.mjs', ...files], {
    cwd: ROOT,
    env: { PATH, HOME, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/Test Files +2 passed/);
  // Lint and types are lines of this kind.
  expect(stdout).not.toContain('npm run');
  // A run that starts the servers ends with a line about MySQL.
  expect(stdout).not.toContain('MySQL');
});
