import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** The pages, and where each is as Markdown. */
const MARKDOWN = {
  '/docs': '/docs/quick-start.md',
  '/docs/guide': '/docs/guide.md',
  '/docs/guide/store': '/docs/guide/store.md',
  '/docs/reference': '/docs/reference.md',
  '/docs/errors': '/docs/errors.md',
  '/docs/deprecations': '/docs/deprecations.md',
  '/docs/changelog': '/docs/changelog.md',
};
const TEXTS = [...Object.values(MARKDOWN), '/llms.txt', '/docs/changelog.atom'];
/** Terms of the store area. */
const OF_STORE = /guide\/store|store\/orders|(?:list|create|update)Orders?|orders:|order_not_found/;
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const linksIn = (text: string) =>
  [...text.matchAll(/(?:\]\(|href="|href=&quot;)([^)"&]*)/g)].map(([, target]) => target!);

describe('for programs, the documentation', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite)));
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}, from = service) =>
    fetch(from.stranger.origin + path, { headers });
  const textOf = async (path: string, from = service) => (await get(path, {}, from)).text();

  it.each(Object.entries(MARKDOWN))('is there as Markdown: %s', async (page, path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, MARKDOWN_TYPE]);
    const text = await textOf(path);
    expect(text).toMatch(/^# \S/);
    expect(text).not.toMatch(/<!--|\{\{|<\/?(?:a|p|div|code)\b/);
    expect(await textOf(page)).toContain(`<link rel="alternate" type="text/markdown" href="${path}"`);
    for (const address of [page, `${page}/`]) {
      const chosen = await get(address, { Accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' });
      expect([chosen.status, await chosen.text()]).toEqual([200, text]);
      expect(chosen.headers.get('vary')).toBe('Accept, Accept-Encoding');
      const known = { Accept: 'text/markdown', 'If-None-Match': chosen.headers.get('etag')! };
      expect((await get(address, known)).status).toBe(304);
    }
  });

  it.each([
    '*/*',
    'text/html',
    'text/html, text/markdown;q=0.9',
    'application/json',
    'text/markdown;q=0, */*',
  ])('is HTML for who accepts %s', async (accept) => {
    const { headers } = await get('/docs/guide', { Accept: accept });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each(TEXTS)('leads to nothing that is not there, and to Markdown: %s', async (path) => {
    const targets = linksIn(await textOf(path)).filter((target) => !target.startsWith('https:'));
    for (const target of new Set(targets)) {
      expect(target).toMatch(/^(?:\/(?!\/)|#)/);
      const [file, anchor] = target.startsWith('#') ? [path, target.slice(1)] : target.split('#');
      expect((await get(file!)).status, target).toBe(200);
      if (anchor === undefined) continue;
      const [page = file!] = Object.entries(MARKDOWN).find(([, markdown]) => markdown === file) ?? [];
      expect(await textOf(page), target).toContain(` id="${anchor}"`);
    }
    if (path.endsWith('.md'))
      expect(targets.filter((target) => /^\/docs(?!.*\.(?:md|json))/.test(target))).toEqual([]);
  });

  it('has every operation, with its parameters and a sample, and every error code', async () => {
    const { json } = await service.stranger.get('/openapi.json');
    const document = json as unknown as {
      paths: Record<string, Record<string, { operationId: string }>>;
      'x-error-codes': Record<string, object>;
    };
    const reference = await textOf('/docs/reference.md');
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { operationId }] of Object.entries(item))
        expect(reference).toContain(`\`${method.toUpperCase()} ${path}\` (${operationId})`);
    expect(reference).toContain('- `cursor` (string): ');
    expect(reference).toContain('curl -sS "$PETSTORE/pets" \\\n');
    const errors = await textOf('/docs/errors.md');
    for (const code of Object.keys(document['x-error-codes'])) expect(errors).toContain(`\n## ${code}\n`);
    expect(errors).toContain(
      "| `read_only_field`    | is the service's to set: `id`                           |",
    );
  });

  it('is listed in a file of its own', async () => {
    const { headers } = await get('/llms.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await textOf('/llms.txt');
    const [title, summary, ...others] = text.trimEnd().split(/\n\n/);
    expect([title, summary]).toEqual([
      '# Pet Store',
      expect.stringMatching(/^> A catalogue of animals .*\.$/),
    ]);
    const sections = others.slice(others.findIndex((part) => part.startsWith('## ')));
    for (const [i, part] of sections.entries())
      expect(part).toMatch(i % 2 === 0 ? /^## .+$/ : /^(?:- \[.+\]\(\S+\): .+\n?)+$/);
    const areas = readdirSync('docs/modules').map((page) => `/docs/guide/${page}`);
    const all = new Set([...Object.values(MARKDOWN), ...areas, '/openapi.json']);
    expect(linksIn(text).toSorted()).toEqual([...all].toSorted());
  });

  it('says nothing of an area that is left out', async () => {
    const without = await startService(sqlite, { environment: { STORE_ENABLED: 'false' } });
    const texts = TEXTS.filter((path) => !/changelog|store/.test(path));
    for (const path of texts) expect(await textOf(path, without), path).not.toMatch(OF_STORE);
    expect((await get('/docs/guide/store.md', {}, without)).status).toBe(404);
    expect((await get('/docs/guide/store', { Accept: 'text/markdown' }, without)).status).toBe(404);
    await without.stop();
  });

  it('changes when an operation is gone', async () => {
    const later = await startService(sqlite);
    const about = ['/docs/deprecations.md', '/docs/reference.md', '/docs/guide.md', '/docs/search.json'];
    const tags = () =>
      Promise.all(about.map(async (path) => (await get(path, {}, later)).headers.get('etag')));
    const before = await tags();
    for (const path of about)
      expect(await textOf(path, later), path).not.toContain('has been removed: it answers');
    later.clock.set('2030-12-05T00:00:00Z');
    for (const path of about)
      expect(await textOf(path, later), path).toContain('has been removed: it answers');
    expect(await textOf('/docs/guide.md', later)).toContain(
      '(deprecated)\n\n> It was due to be removed on 2030-12-05',
    );
    for (const [i, tag] of (await tags()).entries()) expect(tag).not.toBe(before[i]);
    await later.stop();
  });

  it('knows the path before its addresses, on pages as for programs', async () => {
    const BASE_URL = 'https://pets.example/petstore/v1';
    const behind = await startService(sqlite, { environment: { BASE_URL } });
    for (const path of [...Object.keys(MARKDOWN), ...TEXTS]) {
      const targets = linksIn(await textOf(path, behind)).filter((target) => !/^https:|^#/.test(target));
      if (path !== '/docs/errors.md') expect(targets.length, path).toBeGreaterThan(0);
      expect(targets.filter((target) => !target.startsWith('/petstore/'))).toEqual([]);
    }
    for (const path of ['/docs/quick-start.md', '/docs/guide.md'])
      expect(await textOf(path, behind)).toContain(`export PETSTORE=${BASE_URL}\n`);
    const found = JSON.parse(await textOf('/docs/search.json', behind)) as { url: string }[];
    expect(found.filter(({ url }) => !url.startsWith('/petstore/docs'))).toEqual([]);
    const older = JSON.parse(await textOf('/docs/openapi-3.0.json', behind)) as { servers: unknown };
    expect(older.servers).toEqual([{ url: '/petstore/v1' }]);
    await behind.stop();
  });
});
