import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readText(join(ROOT, file));

const TUTORIAL = 'docs/adding-a-module.md';
const RECIPES = 'docs/module-recipes.md';
const REFERENCE = 'docs/module-reference.md';
const STYLE = 'docs/style.md';
const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** Which test runs a command of the recipes or the reference, and the code in it that does so. test/slow/tutorial.test.ts runs the tutorial. */
const RUN_BY: readonly (readonly [command: RegExp, test: string, words: string])[] = [
  [/^npm run generate:module -- /, 'test/slow/generate-module.test.ts', `'generate:module', '--'`],
  [/^npm test$/, '.ci/run', 'npm test'],
  [/^npm run format$/, 'test/slow/generate-migration.test.ts', `'run', '-s', 'format'`],
  [/^npm run migration:generate -- /, 'test/slow/generate-migration.test.ts', `'migration:generate', '--'`],
  [/^npm run -s types$/, 'test/slow/generate-module.test.ts', `'types'`],
  [
    /^npx vitest run test\/architecture test\/fuzz test\/unit\/mcp /,
    'test/slow/generate-module.test.ts',
    `'test/e2e/database/server-settings.test.ts'`,
  ],
  [/^npm run migration:check$/, 'test/slow/generate-migration.test.ts', `'migration:check'`],
];

interface Snippet {
  readonly language: string;
  readonly code: string;
  /** The file that is named in the line before the snippet. */
  readonly file: string | undefined;
}

function snippetsIn(text: string): Snippet[] {
  return [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(({ 1: language, 2: code, index }) => {
    const before = text.slice(0, index).trimEnd().split('\n').at(-1)!;
    const [, file] = /.*`((?:src|test|examples)\/[\w./-]+\.ts|[\w./-]+\.md)`/.exec(before) ?? [];
    return { language: language!, code: code!, file };
  });
}

/** Code without whitespace and trailing commas, which a formatter decides, and the offsets where its lines begin and end. */
function bare(code: string) {
  const lines = code
    .split('\n')
    .map((line) => line.replaceAll(/\s/g, ''))
    .filter(Boolean);
  let text = '';
  const [begins, ends] = [new Set<number>(), new Set<number>()];
  for (const [i, line] of lines.entries()) {
    begins.add(text.length);
    text += /^[)\]}]/.test(lines[i + 1] ?? '') ? line.replace(/,$/, '') : line;
    ends.add(text.length).add(text.replace(/,$/, '').length);
  }
  return { text, begins, ends };
}

const LEFT_OUT = /^ *(?:…|\/\/ (?:…|\.\.\.).*)$/m;

/** The first part of an excerpt that a file does not contain, as whole lines in order; undefined if it contains all. */
function missingIn(file: string, excerpt: string): string | undefined {
  const { text, begins, ends } = bare(file);
  let from = 0;
  return excerpt.split(LEFT_OUT).find((part) => {
    const wanted = bare(part).text.replace(/,$/, '');
    let at = text.indexOf(wanted, from);
    while (at >= 0 && !(begins.has(at) && ends.has(at + wanted.length))) at = text.indexOf(wanted, at + 1);
    from = at + wanted.length;
    return wanted !== '' && at < 0;
  });
}

const commandsIn = (code: string) =>
  code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('export '));

describe.each([RECIPES, REFERENCE])('%s', (page) => {
  const snippets = snippetsIn(read(page));

  it('shows code that tests compile and run', () => {
    for (const { code, file } of snippets.filter(({ language }) => language === 'ts')) {
      expect(file, `the line before a snippet names its file:\n${code}`).toBeDefined();
      expect(existsSync(join(ROOT, file!)), file).toBe(true);
      expect(missingIn(read(file!), code), `not in ${file}`).toBeUndefined();
    }
  });

  it('shows nothing in another language', () => {
    expect(snippets.map(({ language }) => language).filter((one) => !['ts', 'sh'].includes(one))).toEqual([]);
  });
});

describe('The recipes and the reference', () => {
  const snippets = [RECIPES, REFERENCE].flatMap((page) => snippetsIn(read(page)));

  it('show commands that tests run', () => {
    const shown = snippets.flatMap(({ language, code }) => (language === 'sh' ? commandsIn(code) : []));
    const patterns = RUN_BY.map(([pattern]) => pattern);
    expect(shown.filter((command) => !patterns.some((pattern) => pattern.test(command)))).toEqual([]);
    expect(patterns.filter((pattern) => !shown.some((command) => pattern.test(command)))).toEqual([]);
    for (const [, test, words] of RUN_BY) expect(read(test), test).toContain(words);
  });

  it('show many snippets', () => {
    expect(snippets.length).toBeGreaterThan(20);
  });

  it.each(['vaccinations', 'groomings', 'webhooks'])(
    'count the files that the rules of examples/%s took',
    (example) => {
      const files = readdirSync(join(ROOT, 'examples', example), { recursive: true, withFileTypes: true });
      const said = new RegExp(`\`examples/${example}\`[^(]*\\((\\d+)\\s+files`).exec(read(RECIPES));
      expect(Number(said?.[1])).toBe(files.filter((entry) => entry.isFile()).length);
    },
  );
});

it('The recipes say what each module of the tests shows', () => {
  const modules = readdirSync(join(ROOT, 'test/support/modules')).map(
    (file) => `test/support/modules/${file}`,
  );
  const [, samples = ''] = read(RECIPES).split('## Whole examples');
  const missing = modules.filter((file) => !samples.includes(`| \`${file}\` `));
  expect(missing, `add a row for it at the end of ${RECIPES}`).toEqual([]);
});

describe(REFERENCE, () => {
  const text = read(REFERENCE);
  const APIS = [
    'src/kernel',
    ...readdirSync(join(ROOT, 'src/platform')).map((room) => `src/platform/${room}`),
  ];

  it.each(APIS.filter((folder) => existsSync(join(ROOT, folder, 'index.ts'))))(
    'lists all that %s offers, and nothing else',
    (folder) => {
      const [, section = ''] = new RegExp(`^### \`${folder}\`\n([^]*?)(?=^##)`, 'm').exec(text) ?? [];
      const listed = [...section.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell]) => [
        ...cell!.matchAll(/`(\w+)`/g),
      ]);
      const exports = [...read(`${folder}/index.ts`).matchAll(/^export (?:type )?\{([^}]+)\}/gm)];
      const names = exports.flatMap(([, list]) => [...list!.matchAll(/(\w+)(?=,|\s*$)/g)]);
      const sorted = (matches: RegExpExecArray[]) => matches.map(([, name]) => name!).toSorted();
      expect(sorted(listed)).toEqual(sorted(names));
    },
  );

  it('lists the options of the generator, and the types of its fields', () => {
    const [, options] = text.split(/^\| Option .*\n/m);
    const named = [...options!.split('\n\n')[0]!.matchAll(/^\| `(--[\w-]+)/gm)].map(([, option]) => option);
    const source = read('tools/generate-module/request.js');
    const known = [...source.matchAll(/\.option\(\s*'(--[\w-]+)/g)].map(([, option]) => option);
    expect(named.toSorted()).toEqual(known.toSorted());
    const [, types] = /^const TYPES = \[(.*)\];$/m.exec(read('tools/generate-module/fields.js'))!;
    for (const [, type] of types!.matchAll(/'(\w+)'/g))
      expect(text).toMatch(new RegExp(`^\\| \`'?name:${type}\\b`, 'm'));
  });
});

describe(TUTORIAL, () => {
  const blocks = [...read(TUTORIAL).matchAll(/^(`{3,})(\w+)\n(.*?)^\1$/gms)];

  it('reaches a working result on its first screen', () => {
    const before = read(TUTORIAL).slice(0, blocks.find(([, , language]) => language === 'json')!.index);
    expect(before).toContain('npm run generate:module -- ');
    expect(before).toContain('curl ');
    expect(before.split('\n').length).toBeLessThan(45);
  });

  it('is short enough to be read', () => {
    const prose = blocks.reduce((text, [block]) => text.replace(block, ''), read(TUTORIAL));
    expect(wordsIn(prose)).toBeLessThanOrEqual(1_500);
  });
});

describe(STYLE, () => {
  const pairs = snippetsIn(read(STYLE));
  const side = (code: string, marks: string) =>
    code
      .split('\n')
      .filter((line) => line !== '' && marks.includes(line[0]!))
      .map((line) => line.slice(1))
      .join('\n');

  it.each(pairs.map(({ code, file }) => [file, code]))(
    'shows what %s says, and does not say',
    (file, code) => {
      expect(existsSync(join(ROOT, file!)), file).toBe(true);
      expect(missingIn(read(file!), side(code, ' +')), 'what is green').toBeUndefined();
      expect(missingIn(read(file!), side(code, '-')), 'what is red').toBeDefined();
    },
  );

  it('is a page of pairs', () => {
    expect(
      pairs.filter(({ language, code }) => language !== 'diff' || !/^-/m.test(code) || !/^\+/m.test(code)),
    ).toEqual([]);
    expect(pairs.length).toBeGreaterThan(9);
    expect(wordsIn(read(STYLE))).toBeLessThanOrEqual(1_000);
  });
});
