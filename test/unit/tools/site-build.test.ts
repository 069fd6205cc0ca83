import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteOf } from '../../../tools/site/site.js';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The sources of the site, and the targets of its links. */
const NEEDED = [
  'package.json',
  'CHANGELOG.md',
  'client/README.md',
  'mcp/README.md',
  'mcp/operations.js',
  'docs',
  'tools/openapi',
  'tools/site',
];

describe('The build of the pages', () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'petstore-site-'));
    keepFolder(parent);
    folder = join(parent, 'a tree #1 of 100%');
    for (const path of NEEDED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  });
  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
    forgetFolder(parent);
  });

  const build = () => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'dist'));
    const options = { cwd: parent, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'tools/site/build.js')], options);
    return { status, lines: stderr.split('\n').filter((line) => line !== '') };
  };
  const site = () => siteOf(pathToFileURL(`${folder}/`)) as Map<string, string>;
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));

  it('works in any folder, and gives the same pages whatever the line ends of their sources', () => {
    const files = site();
    for (const file of [
      'docs/quick-start.md',
      'docs/api.md',
      'docs/modules/store.md',
      'client/README.md',
      'mcp/README.md',
      'CHANGELOG.md',
      'docs/openapi.json',
    ])
      edit(file, (text) => text.replaceAll(/\r?\n/g, '\r\n'));
    expect(build()).toEqual({ status: 0, lines: [] });
    expect(files.size).toBeGreaterThan(20);
    for (const [name, content] of files)
      expect(readFileSync(join(folder, 'dist/site', name), 'utf8'), name).toBe(content);
    for (const name of ['openapi.json', 'site/files.json', 'site/docs/guide/store.md'])
      expect(existsSync(join(folder, 'dist', name))).toBe(true);
  });

  it('fails on broken links, names each of them, and writes nothing', () => {
    const end = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').length;
    const lines = {
      guide: end('docs/api.md'),
      store: end('docs/modules/store.md'),
      changes: end('CHANGELOG.md'),
    };
    appendFileSync(
      join(folder, 'docs/api.md'),
      '\nSee [one](#one), [two](quick-start.md#two)\nand [three](three.md) [`four`](/docs/four),\n' +
        '\n```sh\n[example](nowhere.md)\n```\n\n[five](/docs/errors#five "Title")',
    );
    appendFileSync(join(folder, 'docs/modules/store.md'), '\n- a list\n  with [six](../six.md#six)');
    appendFileSync(
      join(folder, 'CHANGELOG.md'),
      '\n[of the page](#changelog), [of others](docs/api.md#errors), [a file](docs/decisions/README.md#any), ' +
        '[a page](/docs/errors#overloaded), [elsewhere](https://example.com/#x), <!-- repository -->[seven](seven.md)<!-- /repository -->',
    );
    expect(build()).toEqual({
      status: 1,
      lines: [
        `docs/api.md:${lines.guide + 1}: #one leads nowhere: there is no such heading.`,
        `docs/api.md:${lines.guide + 1}: quick-start.md#two leads nowhere: there is no such heading.`,
        `docs/api.md:${lines.guide + 2}: three.md leads nowhere: there is no such file.`,
        `docs/api.md:${lines.guide + 2}: /docs/four leads nowhere: the service has no such page.`,
        `docs/api.md:${lines.guide + 8}: /docs/errors#five leads nowhere: there is no such heading.`,
        `docs/modules/store.md:${lines.store + 2}: ../six.md#six leads nowhere: there is no such file.`,
        `CHANGELOG.md:${lines.changes + 1}: seven.md leads nowhere: there is no such file.`,
      ],
    });
    expect(existsSync(join(folder, 'dist/site'))).toBe(false);
  });

  it('links documents that are not pages', () => {
    const documents = {
      'the document': 'openapi.json',
      '3.0': 'openapi-3.0.json',
      workflows: 'petstore.arazzo.yaml',
    };
    const links = Object.entries(documents).map(([name, file]) => `[${name}](${file})`);
    appendFileSync(join(folder, 'docs/api.md'), `\n${links.join('\n\n')}\n`);
    const files = site();
    for (const [name, file] of Object.entries(documents)) {
      const path = file === 'openapi.json' ? '../openapi.json' : `../docs/${file}`;
      expect(files.get('docs/guide.html')).toContain(`<a href="${path}">${name}</a>`);
      expect(files.get('docs/guide.md')).toContain(`[${name}](${path})`);
    }
  });

  it('fails if a file is missing, or if a document differs from what a tool writes', () => {
    rmSync(join(folder, 'docs/quick-start.md'));
    expect(site).toThrow(/^docs\/quick-start\.md cannot be read \(ENOENT\): the pages are built of it\.$/);
    edit('docs/openapi.json', (text) => text.replace('"x-error-codes"', '"x-codes"'));
    expect(site).toThrow(/^docs\/openapi.json is not what npm run document writes: run it\.$/);
  });
});
