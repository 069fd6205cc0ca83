import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeCopy } from '../support/processes/tree-copy.js';

describe('tests of a source that does not compile', () => {
  let copy: TreeCopy;
  beforeAll(async () => {
    copy = await TreeCopy.make((path) =>
      appendFileSync(path('src/store/domain/order.ts'), "export const total: number = 'much';\n"),
    );
  });
  afterAll(() => copy.remove());

  it.each(['npx vitest run orders', 'npm test orders'])(
    'do not run, and the error of the compiler is what %s says',
    { timeout: 300_000 },
    async (line) => {
      const [command, ...args] = line.split(' ') as [string, ...string[]];
      const { code, output } = await copy.run(command, args);
      expect(code).toBe(1);
      expect(output).toMatch(/src\/store\/domain\/order\.ts.*error.*TS2322/);
      expect(output).not.toContain('No test files found');
    },
  );
});
