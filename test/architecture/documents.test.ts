import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FENCED = /^ *```.*?^ *```/gms;
const LINK = /\]\(([^)\s#]+)/g;
const ELSEWHERE = /^[a-z]+:/;
const PATH = /`((?:src|test|docs)\/[\w./-]+)`/g;

const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
  .concat(
    ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'test/README.md'].filter((file) =>
      existsSync(join(ROOT, file)),
    ),
  );

/** The files of this tree that a document refers to, by link or by path in backticks; relative to the root of the tree. */
function pointersIn(document: string, text: string): string[] {
  const prose = text.replaceAll(FENCED, '');
  const found = (pattern: RegExp) => [...prose.matchAll(pattern)].map(([, target]) => target!);
  const links = found(LINK).filter((target) => !ELSEWHERE.test(target));
  return [...links.map((target) => join(dirname(document), target)), ...found(PATH)];
}

/** The module that a reader of the tutorial makes. test/slow/tutorial.test.ts checks that its files are there then. */
const OF_TUTORIAL = /\/shelters?\b/;
const isOfTutorial = (document: string, pointer: string) =>
  document === 'docs/adding-a-module.md' && OF_TUTORIAL.test(pointer);

describe('Every link and path leads to an existing file in', () => {
  for (const document of documents) {
    it(document, () => {
      const pointers = pointersIn(document, readFileSync(join(ROOT, document), 'utf8'));
      expect(
        pointers.filter((pointer) => !isOfTutorial(document, pointer) && !existsSync(join(ROOT, pointer))),
        `${document} points to files that are not there: correct the paths, or add the files`,
      ).toEqual([]);
    });
  }
});

it('documents refer to files by links and by paths', () => {
  const example =
    'See [the API](api.md#errors), [below](#below), [Nest](https://nestjs.com) and `src/kernel/clock.ts`.';
  expect(pointersIn('docs/guide.md', example)).toEqual(['docs/api.md', 'src/kernel/clock.ts']);
});

it('docs/README.md has a line for each page, which says what the page is for', () => {
  const text = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  // The records have an index of their own, and the generator adds two pages for each module.
  const pages = documents.filter(
    (file) => !/^docs\/(?:README\.md|decisions\/\d|canvas\/|modules\/)/.test(file),
  );
  const linked = pointersIn('docs/README.md', text);
  expect(
    pages.filter((page) => !linked.includes(page)),
    'Add a line for each of these pages to docs/README.md.',
  ).toEqual([]);
});

describe('test/README.md', () => {
  const text = readFileSync(join(ROOT, 'test/README.md'), 'utf8');

  it('has a row for each folder of tests, and no other', () => {
    const [, table] = /^## What each folder is for\n\n.*\n.*\n([^]*?)\n\n/m.exec(text)!;
    const rows = [...table!.matchAll(/^\| `([\w-]+)`/gm)].map(([, folder]) => folder!);
    const folders = readdirSync(join(ROOT, 'test'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(rows.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  it('has commands that exist, for files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const commands = [...text.matchAll(/`(?:npm (?:run )?([^\s`]+)|npx vitest(?: run)?) ?([^`]*)`/g)];
    expect(commands.length).toBeGreaterThan(20);
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).map(
      (file) => `test/${file}`,
    );
    for (const [command, script, more = ''] of commands) {
      if (script !== undefined) expect(Object.keys(scripts), command).toContain(script);
      const folder = /^test:(slow|ship|faults)$/.exec(script ?? '')?.[1] ?? '';
      const filters = more.split(' ').filter((word) => /^[a-z]/.test(word));
      for (const filter of filters)
        expect(
          files.some((file) => file.startsWith(`test/${folder}`) && file.includes(filter)),
          command,
        ).toBe(true);
    }
  });
});

it('docs/glossary.md defines words that other documents use', () => {
  const text = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const others = documents
    .filter((file) => !/^docs\/(?:glossary|README)\.md$/.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8').toLowerCase())
    .join('\n');
  const words = [...text.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, word]) => word!.toLowerCase());
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word) => !others.includes(word))).toEqual([]);
});

it('docs/operations.md says what to do first for each alert that cannot wait, and for no other', () => {
  const [, table] = /^\| Alert ([^]*?)\n\n/m.exec(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))!;
  const described = [...table!.matchAll(/`(Petstore\w+)`/g)].map(([, name]) => name!);
  const paging = ['alerts', 'alerts-haproxy', 'alerts-database'].flatMap((file) => {
    const rules = readFileSync(join(ROOT, `docs/operations/${file}.yml`), 'utf8');
    const alerts = rules.split(/^ +- (?=alert: )/m).filter((rule) => rule.includes('severity: page'));
    return alerts.map((rule) => /^alert: (\w+)/.exec(rule)![1]!);
  });
  expect(described.toSorted()).toEqual(paging.toSorted());
});

describe('Each row of docs/specification.md', () => {
  const ROW = /^\| (?!-|The text says|Not shown)(.+?) +\| .* \| (.*?) +\|$/gm;
  const CASE = /^\[[\w-]+\]\(\.\.\/([\w./-]+\.test\.ts)\): (.+)$/;
  const text = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

  it.each([...text.matchAll(ROW)].map(([, sentence, shownBy]) => [sentence!, shownBy!]))(
    'names an existing test: %s',
    (_, shownBy) => {
      const [, file = '', name = ''] = CASE.exec(shownBy) ?? [];
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name);
      expect(name).not.toBe('');
    },
  );
});

it('every dependency has a line that says why it is used, and every line names a dependency', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  const [, tables] = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').split(/^## .*$/m);
  const named = [...tables!.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) => [
    ...names!.matchAll(/`([^`]+)`/g),
  ]);
  const installed = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  expect(named.map(([, name]) => name).toSorted(), 'each package has a line in docs/dependencies.md').toEqual(
    [...installed].toSorted(),
  );
});

it('index.ts of the kernel and of each room of the platform says what each group of its exports is for', () => {
  const platform = join(ROOT, 'src/platform');
  const rooms = readdirSync(platform, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const room of [join(ROOT, 'src/kernel'), ...rooms.map(({ name }) => join(platform, name))]) {
    const api = readFileSync(join(room, 'index.ts'), 'utf8');
    const [, ...groups] = api.split(/^\/\*\* /m);
    expect(groups.length, room).toBeGreaterThan(0);
    for (const group of groups) {
      expect(group).toMatch(/^[^]+?[.;:] \*\/\n(?:export (?:type )?\{[^}]+\} from '[^']+';\n)+\n*$/);
    }
  }
});
