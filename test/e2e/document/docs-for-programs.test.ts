import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** The pages, and where each is as Markdown. */
const MARKDOWN = {
  '/docs': '/docs/quick-start.md',
  '/docs/guide': '/docs/guide.md',
  '/docs/guide/store': '/docs/guide/store.md',
  '/docs/client': '/docs/client.md',
  '/docs/reference': '/docs/reference.md',
  '/docs/errors': '/docs/errors.md',
  '/docs/deprecations': '/docs/deprecations.md',
  '/docs/changelog': '/docs/changelog.md',
};
const TEXTS = [...Object.values(MARKDOWN), '/llms.txt', '/docs/changelog.atom'];
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const linksIn = (text: string) =>
  [...text.matchAll(/(?:\]\(|href="|href=&quot;)([^)"&]*)/g)].map(([, target]) => target!);

describe('for programs, the documentation', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite)));
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.stranger.origin + path, { headers });
  const textOf = async (path: string) => (await get(path)).text();

  it.each(Object.entries(MARKDOWN))('is there as Markdown: %s', async (page, path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, MARKDOWN_TYPE]);
    const text = await textOf(path);
    expect(text).toMatch(/^# \S/);
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toMatch(/<!--|\{\{|<\/?(?:a|p|div|code)\b/);
    const answer = await get(page);
    const [, link] = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(await answer.text())!;
    expect(new URL(link!, answer.url).pathname).toBe(path);
  });

  it.each(['*/*', 'text/html', 'text/html, text/markdown;q=0.9', 'application/json', 'text/markdown'])(
    'is HTML for who accepts %s',
    async (accept) => {
      const { headers } = await get('/docs/guide', { Accept: accept });
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it.each(TEXTS)(
    'leads to nothing that is not there, to Markdown, and from where it is: %s',
    async (path) => {
      const links = linksIn(await textOf(path)).filter((link) => !link.startsWith('https:'));
      for (const link of new Set(links)) {
        expect(link).not.toMatch(/^\/|:/);
        const { pathname, hash } = new URL(link, service.stranger.origin + path);
        expect((await get(pathname)).status, link).toBe(200);
        if (path.endsWith('.md')) expect(pathname).toMatch(/\.(?:md|json|yaml)$/);
        if (hash === '') continue;
        const [page = pathname] =
          Object.entries(MARKDOWN).find(([, markdown]) => markdown === pathname) ?? [];
        expect(await textOf(page), link).toContain(` id="${hash.slice(1)}"`);
      }
    },
  );

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
    expect(reference).toContain('curl -sS "$PETSTORE_URL/pets" \\\n');
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
    expect(
      linksIn(text)
        .map((link) => `/${link}`)
        .toSorted(),
    ).toEqual([...all].toSorted());
  });

  it('works behind any path: no address begins at the root of its host', async () => {
    const found = JSON.parse(await textOf('/docs/search.json')) as { url: string }[];
    const addresses = found.map(
      ({ url }) => new URL(url, 'https://pets.example/petstore/docs/search.json').href,
    );
    expect(addresses.filter((address) => !address.startsWith('https://pets.example/petstore/docs/'))).toEqual(
      [],
    );
    expect(JSON.parse(await textOf('/docs/openapi-3.0.json'))).toMatchObject({ servers: [{ url: '../v1' }] });
  });

  it('tells when an operation ends, before and after that day', async () => {
    const end = 'It will be removed on 2030-12-05, at midnight UTC, and answers 410';
    for (const path of ['/docs/deprecations.md', '/docs/reference.md', '/docs/search.json'])
      expect(await textOf(path)).toContain(end);
  });
});
