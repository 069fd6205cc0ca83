import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { petstore } from '../support/petstore.js';
import { readText } from '../support/read-text.js';
import { DOCUMENTED } from '../support/module-facts.js';
import { faultsIn, REWRITE, RULES, sentencesOf } from './prose.js';

const ROOT = join(import.meta.dirname, '../..');

const markdownBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

/** Each version of the changelog from 2.0.0 on; older ones stay as they were released. */
function versionsOfChangelog(): [name: string, text: string][] {
  const [checked] = readText(join(ROOT, 'CHANGELOG.md')).split(/^(?=## \[1\.)/m);
  return checked!
    .split(/^(?=## \[\d)/m)
    .map((text) => [`CHANGELOG.md, ${/^## \[(.+?)\]/m.exec(text)![1]}`, text]);
}

const SINGLE = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'mcp/README.md',
  'test/README.md',
  'test/bench/README.md',
];

const pages: [name: string, text: string][] = [
  ...[...SINGLE, ...markdownBelow('docs'), ...markdownBelow('examples')].map((file): [string, string] => [
    file,
    readText(join(ROOT, file)),
  ]),
  ...versionsOfChangelog(),
];

it.each(pages)('The prose of %s keeps the rules of docs/style.md', (_, text) => {
  expect(faultsIn(text), REWRITE).toEqual([]);
});

/** The help of a command and of its subcommands, as lists: what each argument and option means, and exit codes. */
async function helpOf(...command: string[]): Promise<string> {
  const { stdout } = await petstore([...command, '--help'], {});
  const [, ...items] = stdout.replaceAll(/\n {4,}/g, ' ').split(/^ {2}\S+(?: \S+)*? {2,}(?=\S)/m);
  const [, description] = stdout.split('\n\n');
  const [, list = ''] = /\nCommands:\n([^]*?)\n(?:\n|$)/.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
  const inner = await Promise.all(names.map((name) => helpOf(...command, name)));
  const own = [description!, ...items.map((item) => item.split('\n\n')[0]!)];
  return [...own.map((text) => `- ${text.replaceAll('\n', ' ')}`), ...inner].join('\n');
}

/** The comments above the settings, and above the whole file. */
const commentsOfSettings = () =>
  readText(join(ROOT, '.env.example'))
    .replaceAll(/^# (?:---.*|[A-Z_]+=.*)$/gm, '')
    .replaceAll(/^# /gm, '');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly annotations?: Record<string, string> }[];
  }[];
}
const textsOfAlerts = () =>
  ['alerts', 'alerts-haproxy', 'alerts-database']
    .map((name) => parse(readText(join(ROOT, `docs/operations/${name}.yml`))) as Rules)
    .flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
    .flatMap(({ annotations = {} }) => Object.values(annotations))
    .map((text) => text.replaceAll(/\{\{.*?\}\}/g, '`VALUE`').replace(' Do: ', '\n\n'))
    .join('\n\n');

describe('What operators read outside of documents keeps the rules:', () => {
  it.each<[string, () => string | Promise<string>, least: number]>([
    ['the comments of .env.example', commentsOfSettings, 45],
    ['the help of the command line', () => helpOf(), 60],
    ['the texts of the alerts', textsOfAlerts, 100],
  ])('%s', async (_, read, least) => {
    const text = await read();
    expect(sentencesOf(text).length).toBeGreaterThan(least);
    expect(faultsIn(text)).toEqual([]);
  });
});

/** Full names of the tests in a file: the titles of their suites, then their own. Rows of `each` are not read. */
function namesOfTests(text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, suites: string): void => {
    const isTitled = ts.isCallExpression(node) && /^(?:describe|it|test)\b/.test(node.expression.getText());
    const [title] = isTitled ? node.arguments : [];
    const name = title && ts.isStringLiteralLike(title) ? `${suites} ${title.text}`.trim() : suites;
    if (name !== suites) names.push(name);
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true), '');
  return names;
}

describe('The names of tests', () => {
  it('keep the rules of docs/style.md', () => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
    const names = files
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .flatMap((file) => namesOfTests(readText(join(ROOT, 'test', file))));
    expect(names.length).toBeGreaterThan(1_500);
    expect(names.flatMap(faultsIn), REWRITE).toEqual([]);
  });

  it('are read with the titles of their suites, from single tests and from `each`', () => {
    const text = `describe('A', () => { it.each([1])('b %s', () => {}); it.skipIf(no)('c', () => it); });`;
    expect(namesOfTests(text)).toEqual(['A', 'A b %s', 'A c']);
  });
});

/** The texts of the OpenAPI document, with the path to the first place of each. */
function textsOfDocument(part: unknown, path = 'docs/openapi.json'): [text: string, path: string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] => {
    const isText = typeof value === 'string' && /^(?:description|summary|meaning|remedy|message)$/.test(name);
    return isText ? [[value, `${path}/${name}`]] : textsOfDocument(value, `${path}/${name}`);
  });
}

describe('The texts of docs/openapi.json', () => {
  const texts = textsOfDocument(JSON.parse(readText(join(ROOT, 'docs/openapi.json'))));

  it('keep the rules of docs/style.md, and so do the messages of all error codes', () => {
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.some(([, path]) => path.endsWith('/x-error-codes/rate_limited/remedy'))).toBe(true);
    const faults = [...new Map(texts)].flatMap(([text, path]) =>
      faultsIn(text).map((fault) => `${path}: ${fault}`),
    );
    expect(faults, `${REWRITE} ${DOCUMENTED}`).toEqual([]);
  });
});

it.each(Object.entries(RULES))(
  'the rule "%s" finds a bad sentence and passes a good one',
  (name, { pair }) => {
    const [bad, good] = pair;
    expect(faultsIn(`# Title\n\n- One.\n- ${bad} Three.`)).toEqual([`${name}: ${bad}`]);
    expect(faultsIn(good)).toEqual([]);
  },
);

it('sentences are read from paragraphs, headings and lists, not from code and tables', () => {
  const text =
    '# A title\n\nOne [link](a.md). `code.` is **second**.\nThird.\n\n```sh\necho No.\n```\n\n' +
    '| No. |\n| --- |\n| No. |\n\n> A quote.\n\n1. An item,\n   wrapped.\n\n   With a paragraph.\n';
  expect(sentencesOf(text)).toEqual([
    'A title',
    'One link.',
    '`code.` is second.',
    'Third.',
    'A quote.',
    'An item, wrapped.',
    'With a paragraph.',
  ]);
});
