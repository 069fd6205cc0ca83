import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { rulesFor } from './rules.js';

const ROOT = join(import.meta.dirname, '../..');
const SEEDS = join(import.meta.dirname, 'seeds');

/** Checks the folders `src` and `test` of a tree. @returns the files that were read, and which imports violate which rule */
async function inspect(tree: string) {
  const { output } = await cruise(
    ['src', 'test'].filter((folder) => existsSync(join(tree, folder))),
    {
      baseDir: tree,
      exclude: '^test/architecture/seeds/',
      validate: true,
      ruleSet: rulesFor(tree),
      tsPreCompilationDeps: true, // `import type` counts too.
      doNotFollow: 'node_modules',
    },
    // Resolves packages as Node does: some expose subpaths, such as `csv-parse/sync`, only through `exports`.
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  );
  const { modules, summary } = output as ICruiseResult;
  return {
    files: modules.map(({ source }) => source).filter((source) => source.startsWith('src/')),
    violations: summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      what: `${from} → ${to}`,
    })),
  };
}

const house = await inspect(ROOT);
const { forbidden, required } = rulesFor(ROOT);
/** A rule that is made for each module has one name. */
const rules = [...new Map([...forbidden, ...required].map((rule) => [rule.name, rule])).values()];
const sentence = (name: string) => name.replaceAll('-', ' ');

describe('In the source', () => {
  it('the check reads every file of code', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const code = files.filter((file) => /\.[jt]s$/.test(file)).map((file) => `src/${file}`);
    expect(house.files.toSorted()).toEqual(code.toSorted());
    expect(house.files.length).toBeGreaterThan(60);
  });

  for (const { name, comment } of rules) {
    it(sentence(name), () => {
      const violations = house.violations.filter(({ rule }) => rule === name);
      expect(violations, `${comment} docs/architecture.md lists what a file may import.`).toEqual([]);
    });
  }
});

describe('The check finds the seed that breaks the rule that', () => {
  for (const { name } of rules) {
    it(sentence(name), async () => {
      const { violations } = await inspect(join(SEEDS, name));
      expect([...new Set(violations.map(({ rule }) => rule))]).toEqual([name]);
    });
  }
});

it('the check lets an HTTP adapter take uploads and send files, as in the recipes', async () => {
  const { violations } = await inspect(join(SEEDS, 'http-adapters-use-only-their-own-tools'));
  expect(violations.map(({ what }) => what)).toEqual([
    'src/store/adapters/http/orders.controller.ts → src/platform/database/index.ts',
  ]);
});

it('every rule has a seed, and every seed belongs to a rule', () => {
  expect(readdirSync(SEEDS).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
});
