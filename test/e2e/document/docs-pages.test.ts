import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorCatalogue } from '../../support/rooms/http.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const FEED = 'application/atom+xml';

/** The pages, and where each is as Markdown. */
const PAGES: Readonly<Record<string, string>> = {
  '/docs/': '/docs/quick-start.md',
  '/docs/guide': '/docs/guide.md',
  '/docs/guide/store': '/docs/guide/store.md',
  '/docs/client': '/docs/client.md',
  '/docs/mcp': '/docs/mcp.md',
  '/docs/reference': '/docs/reference.md',
  '/docs/errors': '/docs/errors.md',
  '/docs/deprecations': '/docs/deprecations.md',
  '/docs/changelog': '/docs/changelog.md',
};
const ASSETS: Readonly<Record<string, string>> = {
  '/docs/pages.css': 'text/css; charset=utf-8',
  '/docs/favicon.svg': 'image/svg+xml',
  '/docs/theme.js': SCRIPT,
  '/docs/page.js': SCRIPT,
  '/docs/search.js': SCRIPT,
  '/docs/try-it.js': SCRIPT,
  '/docs/lay-out-json.js': SCRIPT,
};
const FILES: readonly (readonly [path: string, type: string])[] = [
  ...Object.keys(PAGES).map((page) => [page, HTML] as const),
  ...Object.values(PAGES).map((page) => [page, MARKDOWN] as const),
  ...Object.entries(ASSETS),
  ['/docs/minisearch.js', SCRIPT],
  ['/docs/search.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/docs/changelog.atom', FEED],
];
/** The request headers of a browser. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

interface Html {
  readonly text: string;
}
/** Plain JavaScript, for which the compiler has no types. */
const SCRIPT_OF_JSON = '../../../tools/site/assets/lay-out-json.js';
const { layOutJson } = (await import(SCRIPT_OF_JSON)) as { layOutJson: (text: string) => string };
const SCRIPT_OF_SEARCH = '../../../tools/site/assets/search.js';
const { indexOf } = (await import(SCRIPT_OF_SEARCH)) as {
  indexOf: (library: typeof MiniSearch, sections: readonly object[]) => MiniSearch;
};
const MARKUP = '../../../tools/site/markup.js';
const { html, visibleText } = (await import(MARKUP)) as {
  html: (parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]) => Html;
  visibleText: (html: Html) => string;
};

/** The text of a page about repeating a request. */
const AGAIN = {
  yes: 'may succeed',
  'safely only': 'send it again only if it is a GET',
  no: 'gets the same response',
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-error-codes': Readonly<Record<string, object>>;
}

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
}

/** The anchors of a page's headings of one level. */
const anchorsIn = (text: string, level: number) =>
  [...text.matchAll(new RegExp(`<h${level} id="([^"]*)"`, 'g'))].map(([, id]) => id!);
/** A part of a page: from a heading to the next of its level. */
const partOf = (text: string, anchor: string) =>
  new RegExp(`<h2 id="${anchor}".*?(?=<h2|</main>)`, 's').exec(text)![0];
const linksIn = (text: string) =>
  [...text.matchAll(/(?:\]\(|(?:href|src)="|href=&quot;)([^)"&]*)/g)].map(([, target]) => target!);

/** The pages do not depend on the database, so one engine is enough. */
describe('the documentation pages', () => {
  let service: Service;
  let document: Document;
  let operations: readonly (Operation & { readonly route: string })[];
  beforeAll(async () => {
    service = await startService(sqlite);
    document = (await service.stranger.get('/openapi.json')).json as unknown as Document;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => ({ ...one, route: `${method.toUpperCase()} ${path}` })),
    );
  });
  afterAll(() => service.stop());

  const ask = (path: string, init?: RequestInit) => fetch(service.stranger.origin + path, init);
  const textOf = async (path: string) => (await ask(path)).text();

  it.each(FILES)(
    'are public, whatever the client accepts, with their own content security policy: %s',
    async (path, type) => {
      const { status, headers } = await ask(path, { headers: { Accept: 'application/json, text/markdown' } });
      expect([status, headers.get('content-type')]).toEqual([200, type]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      if (type === HTML) expect(headers.get('content-security-policy')).toBe(POLICY);
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
      // A browser that reloads a page sends these headers.
      expect(headers.get('cache-control')).toBe('no-cache');
      const known = { 'If-None-Match': headers.get('etag')!, 'Cache-Control': 'max-age=0' };
      const again = await ask(path, { headers: known });
      expect([again.status, await again.text()]).toEqual([304, '']);
      for (const [method, answer] of [
        ['DELETE', 405],
        ['OPTIONS', 204],
      ] as const) {
        const other = await ask(path, { method });
        expect([other.status, other.headers.get('allow')]).toEqual([answer, 'GET, HEAD, OPTIONS']);
      }
    },
  );

  it('consist of files that are all served', () => {
    const assets = readdirSync('tools/site/assets').filter((name) => name !== 'frame.html');
    expect(assets.map((name) => `/docs/${name}`).toSorted()).toEqual(Object.keys(ASSETS).toSorted());
  });

  it('have one URL each, and other spellings redirect to it behind any path', async () => {
    for (const [other, address] of [
      ['/docs', 'docs/'],
      ['/docs/guide/', '../guide'],
      ['/docs/guide/store/', '../store'],
    ] as const) {
      const { status, headers } = await ask(other, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([301, address]);
    }
  });

  it('link only to existing files and headings of this service, by relative URLs', async () => {
    const texts = new Map<string, string>();
    const load = async (address: string) => {
      if (!texts.has(address)) {
        const answer = await fetch(address);
        expect(answer.status, address).toBe(200);
        texts.set(address, await answer.text());
      }
      return texts.get(address)!;
    };
    const { origin } = service.stranger;
    const pageOf = new Map(Object.entries(PAGES).map(([page, text]) => [origin + text, origin + page]));
    for (const [path, type] of FILES.filter(([, type]) => [HTML, MARKDOWN, FEED].includes(type))) {
      const address = origin + path;
      // Links to other sites are not followed.
      const own = linksIn(await load(address)).filter((target) => !target.startsWith('https:'));
      if (type === HTML) expect(own.length).toBeGreaterThan(20);
      for (const target of new Set(own)) {
        expect(target).toMatch(type === MARKDOWN ? /^[^/:]+/ : /^(?:\.\.\/|#)/);
        const [file, anchor] = new URL(target, address).href.split('#');
        if (type === MARKDOWN) expect(file).toMatch(/\.(?:md|json|yaml)$/);
        await load(file!);
        // Links to Markdown use the anchors of the page.
        if (anchor) expect(await load(pageOf.get(file!) ?? file!), target).toContain(` id="${anchor}"`);
      }
    }
  });

  it.each(Object.entries(PAGES))('exist as Markdown for programs: %s', async (page, path) => {
    const text = await textOf(path);
    expect(text).toMatch(/^# \S/);
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toMatch(/<!--|\{\{|<\/?(?:a|p|div|code)\b/);
    const answer = await ask(page);
    const [, link] = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(await answer.text())!;
    expect(new URL(link!, answer.url).pathname).toBe(path);
  });

  it('are listed in llms.txt', async () => {
    const text = await textOf('/llms.txt');
    const [title, summary, ...others] = text.trimEnd().split(/\n\n/);
    expect(title).toBe('# Pet Store');
    expect(summary).toMatch(/^> A catalogue of animals .*\.$/);
    const sections = others.slice(others.findIndex((part) => part.startsWith('## ')));
    for (const [i, part] of sections.entries())
      expect(part).toMatch(i % 2 === 0 ? /^## .+$/ : /^(?:- \[.+\]\(\S+\): .+\n?)+$/);
    const areas = readdirSync('docs/modules').map((page) => `/docs/guide/${page}`);
    const all = new Set([...Object.values(PAGES), ...areas, '/openapi.json', '/docs/petstore.arazzo.yaml']);
    expect(text).toMatch(/`petstore-mcp`/);
    const listed = linksIn(text).map((link) => `/${link}`);
    const remedy = 'Name the page of a module, docs/modules/<name>.md, after the first segment of its paths.';
    expect(listed.toSorted(), remedy).toEqual([...all].toSorted());
  });

  it('list the tools of petstore-mcp', async () => {
    const text = await textOf('/docs/mcp.md');
    expect(text).toContain(
      '| `listPets` | Lists animals |  |\n| `createPet` | Adds a new animal | `--write` |\n',
    );
  });

  it('are found by the search behind any path, because no URL begins at the root of its host', async () => {
    const found = JSON.parse(await textOf('/docs/search.json')) as { url: string }[];
    const addresses = found.map(({ url }) => new URL(url, 'https://pets.example/shop/docs/search.json').href);
    const outside = addresses.filter((address) => !address.startsWith('https://pets.example/shop/docs/'));
    expect(outside).toEqual([]);
    expect(JSON.parse(await textOf('/docs/openapi-3.0.json'))).toMatchObject({ servers: [{ url: '../v1' }] });
  });

  it.each([
    ['agent', 'mcp'],
    ['mcp', 'mcp'],
    ['typescript', 'client'],
    ['ids', 'guide#request-ids'],
    ['retries', 'client#retries'],
    ['authenticate', 'guide#authenticate'],
    ['listOrders', 'reference#listOrders'],
  ])('are found by the search: "%s" leads to %s', async (word, page) => {
    const index = indexOf(MiniSearch, JSON.parse(await textOf('/docs/search.json')) as object[]);
    expect(index.search(word)[0]?.id).toBe(`../docs/${page}`);
  });

  it.each(Object.keys(PAGES))('say what %s is about', async (page) => {
    expect(await textOf(page)).toMatch(/<meta name="description" content="Pet Store API: [^"`]{20,}" \/>/);
  });

  it('omit parts that exist for readers of the repository only', async () => {
    const [text] = /<main.*<\/main>/s.exec(await textOf('/docs/guide'))!;
    expect(text).not.toMatch(/decisions|\.md"|<!--/);
    expect(await textOf('/docs/changelog')).not.toContain('For module authors');
  });

  it('show a placeholder URL in samples, which a script replaces by the URL of the service', async () => {
    for (const page of ['/docs', '/docs/guide']) {
      const text = await textOf(page);
      const address = '<span data-address>https://petstore.example</span>';
      expect(text).toContain(`PETSTORE_URL=${address}/v1 PETSTORE_API_KEY=psk_test_...`);
      expect(text.replaceAll(address, '')).not.toMatch(/127\.0\.0\.1|petstore\.example/);
    }
  });

  it('mark deprecated and experimental operations in the menu', async () => {
    const text = await textOf('/docs/errors');
    expect(text).toContain('getPet <span class="mark">deprecated</span></a>');
    expect(text).toContain('createOrder <span class="mark">experimental</span></a>');
    expect(text).toContain('createPet</a>');
  });

  // test/slow/docs-pages.test.ts runs each sample.
  it('contain every operation of the OpenAPI document in the reference', async () => {
    const text = await textOf('/docs/reference');
    const markdown = await textOf('/docs/reference.md');
    expect(anchorsIn(text, 2)).toEqual(operations.map(({ operationId }) => operationId));
    for (const { operationId, route } of operations) {
      expect(markdown).toContain(`\`${route}\` (${operationId})`);
      if (!['createPet', 'createOrder'].includes(operationId)) continue;
      const part = partOf(text, operationId);
      for (const language of ['bash', 'javascript', 'python'])
        expect(part).toMatch(new RegExp(`data-language="${language}">[^]*?Idempotency-Key[^]*?</pre>`));
    }
    expect(markdown).toContain('- `cursor` (string): ');
    expect(markdown).toContain('curl -sS "$PETSTORE_URL/pets" \\\n');
  });

  it('explain every error code, each with an example of the body', async () => {
    const text = await textOf('/docs/errors');
    const markdown = await textOf('/docs/errors.md');
    const [details, ...codes] = anchorsIn(text, 2);
    expect(details).toBe('details');
    expect(codes.toSorted()).toEqual(Object.keys(document['x-error-codes']).toSorted());
    for (const code of codes) {
      const { status, again = 'no' } = service.app.get(ErrorCatalogue).all().get(code)!;
      const part = partOf(text, code);
      expect(part).toContain(`${status} `);
      expect(part, code).toContain(AGAIN[again]);
      const [, block] = /<pre[^>]*>(.*?)<\/pre>/s.exec(part)!;
      const shown = visibleText({ text: block!.replaceAll(/<[^>]*>/g, '') });
      const message = expect.stringMatching(/^\S.*\.$/) as string;
      expect(JSON.parse(shown)).toMatchObject({ code, status, message });
      expect(markdown).toContain(`\n## ${code}\n`);
    }
  });

  it('show examples that equal real responses', async () => {
    const text = visibleText({ text: await textOf('/docs/errors') }).replaceAll(' ', '');
    for (const answer of [
      await service.client.post('/v1/pets', { name: ' ', categoryId: 7 }),
      await service.client.get('/v1/pets?limit=500'),
      await service.client.get('/v1/pets?stauts=sold'),
    ])
      expect(text).toContain(answer.text.replaceAll(' ', ''));
  });

  it('explain every code of a detail', async () => {
    const part = partOf(await textOf('/docs/errors'), 'details').replaceAll('<wbr />', '');
    const codes = [...part.matchAll(/<td><code>(\w+)<\/code><\/td>/g)].map(([, code]) => code!);
    expect(codes).toEqual([...new Set(codes)]);
    const answer = await service.client.post('/v1/pets', { id: 1, name: ' ', stauts: 'sold' });
    const { details } = answer.json as unknown as { details: { code: string }[] };
    expect(details.length).toBe(4);
    for (const { code } of details) expect(codes).toContain(code);
  });

  it('say what is deprecated, until when, and what replaces it, and the deprecation header links to them', async () => {
    const text = await textOf('/docs/deprecations');
    expect(text.match(/Deprecated since/g)).toHaveLength(1);
    const deprecated = operations.filter((operation) => operation.deprecated);
    const names = deprecated.map(({ operationId }) => operationId);
    expect(names).toContain('getPet');
    expect(anchorsIn(text, 2).toSorted()).toEqual(names.toSorted());
    expect(text).toContain('<code>/pets/{petId}</code>');
    expect(text).toContain('<time datetime="2026-11-20">');
    expect(text).toContain('It will be removed on <time datetime="2030-12-05">');
    expect(text).toContain('Its successor is <code>GET /pets</code>');
    const end = 'It will be removed on 2030-12-05, at midnight UTC, and will then return 410';
    for (const path of ['/docs/deprecations.md', '/docs/reference.md', '/docs/search.json'])
      expect(await textOf(path)).toContain(end);
    // The specification names the filter `status`, and the filter `id` is what replaces a single request.
    for (const path of ['/docs/deprecations.md', '/docs/reference.md', '/docs/guide.md', '/openapi.json'])
      expect(await textOf(path), path).toMatch(
        /GET \/pets(?:` with the `status` filter|\?status=)[^]*GET \/pets\?id=1/,
      );
    const { headers } = await service.client.get('/v1/pets/404');
    const [, address] = /<([^>]*)>; rel="deprecation"/.exec(headers.get('link')!)!;
    expect((await fetch(address!)).status).toBe(200);
  });

  it('list in the changelog the operations that a version added, and what changed', async () => {
    const { paths } = JSON.parse(readFileSync('docs/releases/1.0.0.json', 'utf8')) as Pick<Document, 'paths'>;
    const text = await textOf('/docs/changelog');
    const [newer, first] = ['110---2026-11-25', '100---2026-11-20'].map((anchor) =>
      visibleText({ text: partOf(text, anchor) }),
    );
    for (const [path, item] of Object.entries(paths))
      for (const [method, { operationId }] of Object.entries(item))
        expect(first).toContain(` added ${method.toUpperCase()} ${path} ${operationId} `);
    expect(newer).not.toMatch(/ added (?:GET|POST|PATCH) /);
    expect(newer).toContain(' changed createPet NewPet');
  });

  it('have a feed of the versions that have a date', async () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const versions = [...changelog.matchAll(/^## \[([\d.]+)\] - (.*)$/gm)].map(([, title, day]) => [
      title,
      `${day}T00:00:00Z`,
    ]);
    const feed = await textOf('/docs/changelog.atom');
    const entries = feed.matchAll(/<entry>.*?<title>(.*?)<.*?<updated>(.*?)</gs);
    expect(versions.length).toBeGreaterThan(0);
    expect([...entries].map(([, ...entry]) => entry)).toEqual(versions);
    expect(await textOf('/docs/changelog')).toMatch(/<link [^>]*href="\.\.\/docs\/changelog\.atom"/);
  });

  it('return HTML to browsers for a missing page, and the Error body to other clients', async () => {
    const shown = await ask('/docs/nothing', { headers: BROWSER });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, HTML]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('content-security-policy')).toBe(POLICY);
    expect(await shown.text()).toContain('No page has this URL');
    const head = await ask('/docs/nothing', { method: 'HEAD', headers: BROWSER });
    expect([head.status, await head.text()]).toEqual([404, '']);
    for (const [path, headers] of [
      ['/docs/nothing', { Accept: 'application/json, text/html' }],
      ['/docs/nothing', { Accept: '*/*' }],
      // The links of a page would lead nowhere.
      ['/nothing', BROWSER],
      ['/docs/guide/nothing', BROWSER],
      ['/docs/nothing/', BROWSER],
      ['/docs//nothing', BROWSER],
      ['/v1/nothing', BROWSER],
    ] as const) {
      const told = await ask(path, { headers: { ...headers, Authorization: `Bearer ${service.secret}` } });
      expect([told.status, await told.json()], path).toMatchObject([404, { code: 'route_not_found' }]);
    }
  });
});

describe('JSON on the page', () => {
  it('is indented as JSON.stringify would indent it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        expect(layOutJson(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps the spelling of its numbers', () => {
    const text = '[9223372036854775807,-9223372036854775808,1.10,70e-1]';
    expect(layOutJson(text).replaceAll(/\s/g, '')).toBe(text);
  });
});

it('text with markup in it is shown as text on a page, not as markup', () => {
  expect(html`<p title="${'"'}">${`<i>&'`} ${html`<b>${7}</b>`}</p>`.text).toBe(
    '<p title="&quot;">&lt;i&gt;&amp;&#39; <b>7</b></p>',
  );
});
