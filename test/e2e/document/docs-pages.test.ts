import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorCatalogue } from '../../../src/platform/http/errors/error-catalogue.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const PAGES = [
  '/docs',
  '/docs/',
  '/docs/guide',
  '/docs/guide/store',
  '/docs/client',
  '/docs/reference',
  '/docs/errors',
  '/docs/deprecations',
  '/docs/changelog',
];
const FILES = {
  '/docs/pages.css': 'text/css; charset=utf-8',
  '/docs/favicon.svg': 'image/svg+xml',
  '/docs/theme.js': SCRIPT,
  '/docs/page.js': SCRIPT,
  '/docs/search.js': SCRIPT,
  '/docs/try-it.js': SCRIPT,
  '/docs/lay-out-json.js': SCRIPT,
  '/docs/minisearch.js': SCRIPT,
  '/docs/search.json': 'application/json; charset=utf-8',
};
/** The request headers of a browser. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

interface Html {
  readonly text: string;
}
/** Plain JavaScript, for which the compiler has no types. */
const SCRIPT_OF_JSON = '../../../tools/site/assets/lay-out-json.js';
const { layOutJson } = (await import(SCRIPT_OF_JSON)) as { layOutJson: (text: string) => string };
const MARKUP = '../../../tools/site/markup.js';
const { html, visibleText } = (await import(MARKUP)) as {
  html: (parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]) => Html;
  visibleText: (html: Html) => string;
};

/** What a page says of sending the same request again. */
const AGAIN = {
  yes: 'may succeed',
  'safely only': 'send it again only if it is a GET',
  no: 'is answered the same',
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

/** What pages show does not depend on the database. */
describe('the documentation pages', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(sqlite)));
  afterAll(() => service.stop());

  const ask = (path: string, init?: RequestInit) => fetch(service.stranger.origin + path, init);
  const textOf = async (path: string) => (await ask(path)).text();

  it.each(PAGES)('are for everybody, under a policy of their own: %s', async (path) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(HTML);
    expect(headers.get('content-security-policy')).toBe(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('are made of files that are all served', () => {
    const assets = readdirSync('tools/site/assets').filter((name) => name !== 'frame.html');
    const elsewhere = ['/docs/minisearch.js', '/docs/search.json'];
    expect([...assets.map((name) => `/docs/${name}`), ...elsewhere].toSorted()).toEqual(
      Object.keys(FILES).toSorted(),
    );
  });

  it.each(Object.entries(FILES))('have what they are made of: %s', async (path, mediaType) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get('content-type')]).toEqual([200, mediaType]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([...PAGES, ...Object.keys(FILES)])('answer HEAD, and no other method: %s', async (path) => {
    const get = await ask(path);
    const head = await ask(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    for (const header of ['content-type', 'content-length', 'content-security-policy']) {
      expect(head.headers.get(header)).toBe(get.headers.get(header));
    }
    expect(await head.text()).toBe('');
    expect((await ask(path, { method: 'POST' })).status).toBe(405);
  });

  it('are not sent again to who has them', async () => {
    for (const path of [...PAGES, ...Object.keys(FILES), '/llms.txt', '/.well-known/api-catalog']) {
      const { headers } = await ask(path);
      expect(headers.get('cache-control')).toBe('no-cache');
      // As a browser asks that reloads a page.
      const known = { 'If-None-Match': headers.get('etag')!, 'Cache-Control': 'max-age=0' };
      const again = await ask(path, { headers: known });
      expect([again.status, await again.text()], path).toEqual([304, '']);
    }
  });

  it('have one address each, to which the other one leads behind any path', async () => {
    for (const [other, address] of [
      ['/docs', 'docs/'],
      ['/docs/guide/', '../guide'],
      ['/docs/guide/store/', '../store'],
    ] as const) {
      const { status, headers } = await ask(other, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([301, address]);
    }
  });

  it('say which methods they have', async () => {
    for (const path of [
      '/docs',
      '/docs/',
      '/docs/guide',
      '/docs/guide/store/',
      '/docs/pages.css',
      '/llms.txt',
    ]) {
      const refused = await ask(path, { method: 'DELETE' });
      const asked = await ask(path, { method: 'OPTIONS' });
      expect([refused.status, asked.status]).toEqual([405, 204]);
      for (const { headers } of [refused, asked]) expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('refer to nothing that is not there, not even a part of a page, to no other host, and always from where they are', async () => {
    const texts = new Map<string, string>();
    const load = async (address: string) => {
      const answer = await fetch(address);
      expect(answer.status, address).toBe(200);
      texts.set(address, await answer.text());
      return answer.url;
    };
    for (const page of PAGES) {
      const address = await load(service.stranger.origin + page);
      const text = texts.get(service.stranger.origin + page)!;
      const targets = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target!);
      expect(targets.length).toBeGreaterThan(20);
      // Links to other sites are not followed.
      const own = targets.filter((target) => !target.startsWith('https://'));
      for (const target of new Set(own)) {
        expect(target).toMatch(/^(?:\.\.\/|#)/);
        const [file, anchor] = new URL(target, address).href.split('#');
        if (!texts.has(file!)) await load(file!);
        if (anchor) expect(texts.get(file!), `${page} links to ${target}`).toContain(` id="${anchor}"`);
      }
    }
  });

  it('tell nobody of what is only in the repository', async () => {
    const [text] = /<main.*<\/main>/s.exec(await textOf('/docs/guide'))!;
    expect(text).not.toMatch(/decisions|\.md"|<!--/);
    expect(await textOf('/docs/changelog')).not.toContain('For module authors');
  });

  it('show in samples an address that a script of the page replaces by its own, and never that of a desk', async () => {
    for (const page of ['/docs', '/docs/guide']) {
      const text = await textOf(page);
      expect(text).toContain(
        'PETSTORE_URL=<span data-address>https://petstore.example</span>/v1 PETSTORE_API_KEY=psk_test_...',
      );
      expect(text.replaceAll('<span data-address>https://petstore.example', '')).not.toMatch(
        /127\.0\.0\.1|petstore\.example/,
      );
    }
  });

  it('mark in the menu what is deprecated or experimental', async () => {
    const text = await textOf('/docs/errors');
    for (const [operation, mark] of [
      ['getPet', 'deprecated'],
      ['createOrder', 'experimental'],
    ])
      expect(text).toContain(`${operation} <span class="mark">${mark}</span></a>`);
    expect(text).toContain('createPet</a>');
  });

  it('send in each sample the Idempotency-Key of an operation that takes one', async () => {
    const text = await textOf('/docs/reference');
    for (const operation of ['createPet', 'createOrder'])
      for (const language of ['bash', 'javascript', 'python']) {
        const sample = new RegExp(`data-language="${language}">.*?</pre>`, 's').exec(partOf(text, operation));
        expect(sample![0]).toContain('Idempotency-Key');
      }
  });

  it('explain every error code, each with the body of an example', async () => {
    const text = await textOf('/docs/errors');
    const [details, ...codes] = anchorsIn(text, 2);
    expect(details).toBe('details');
    const { json } = await service.stranger.get('/openapi.json');
    expect(codes.toSorted()).toEqual(Object.keys((json as unknown as Document)['x-error-codes']).toSorted());
    for (const code of codes) {
      const { status, again = 'no' } = service.app.get(ErrorCatalogue).all().get(code)!;
      const part = partOf(text, code);
      expect(part).toContain(`${status} `);
      expect(part, code).toContain(AGAIN[again]);
      const [, block] = /<pre[^>]*>(.*?)<\/pre>/s.exec(part)!;
      const shown = JSON.parse(visibleText({ text: block!.replaceAll(/<[^>]*>/g, '') })) as {
        message: string;
      };
      expect(shown).toMatchObject({ code, status });
      expect(shown.message).toMatch(/^\S.*\.$/);
    }
  });

  it('show as examples what is really answered', async () => {
    const text = visibleText({ text: await textOf('/docs/errors') }).replaceAll(' ', '');
    for (const answer of [
      await service.client.post('/v1/pets', { name: ' ', categoryId: 7 }),
      await service.client.get('/v1/pets?limit=500'),
      await service.client.get('/v1/pets?stauts=sold'),
    ])
      expect(text).toContain(answer.text.replaceAll(' ', ''));
  });

  it('explain every code of a detail', async () => {
    const part = partOf(await textOf('/docs/errors'), 'details');
    const codes = [...part.replaceAll('<wbr />', '').matchAll(/<td><code>(\w+)<\/code><\/td>/g)].map(
      ([, code]) => code!,
    );
    expect(codes).toEqual([...new Set(codes)]);
    const answer = await service.client.post('/v1/pets', { id: 1, name: ' ', stauts: 'sold' });
    const { details } = answer.json as unknown as { details: { code: string }[] };
    expect(details.length).toBe(4);
    for (const { code } of details) expect(codes).toContain(code);
  });

  it('have every operation of the document in the reference, with a sample in each language', async () => {
    const { paths } = (await service.stranger.get('/openapi.json')).json as unknown as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const text = await textOf('/docs/reference');
    expect(anchorsIn(text, 2)).toEqual(operations.map(({ operationId }) => operationId));
    for (const { operationId } of operations)
      for (const language of ['bash', 'javascript', 'client', 'python'])
        expect(partOf(text, operationId)).toContain(`<div data-language="${language}">`);
  });

  it('explain what problems call their type', async () => {
    const headers = {
      Authorization: `Bearer ${service.secret}`,
      'Content-Type': 'application/json',
      Accept: 'application/problem+json',
    };
    const answers = await Promise.all([
      ask('/v1/pets', { headers, method: 'POST', body: '{"name":""}' }),
      ask('/v1/pets', { headers, method: 'POST', body: '{' }),
      ask('/v1/pets?limit=0', { headers }),
      ask('/v1/pets?colour=red', { headers }),
      ask('/v1/pets?cursor=altered', { headers }),
      ask('/v1/pets/404', { headers }),
      ask('/v1/owners', { headers }),
      ask('/v1/pets', { headers, method: 'DELETE' }),
      ask('/v1/pets', { headers: { Accept: headers.Accept } }),
    ]);
    for (const answer of answers) {
      const { type, code } = (await answer.json()) as { type: string; code: string };
      expect(type).toBe(`/docs/errors#${code}`);
      expect(anchorsIn(await textOf(type), 2)).toContain(code);
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 401, 404, 405]));
  });

  it('say what is deprecated, until when, and where to go instead', async () => {
    const text = await textOf('/docs/deprecations');
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = json as unknown as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const deprecated = operations.filter((operation) => operation.deprecated);
    expect(anchorsIn(text, 2).toSorted()).toEqual(
      deprecated.map(({ operationId }) => operationId).toSorted(),
    );
    expect(anchorsIn(text, 2)).toContain('getPet');
    expect(text).toContain('<code>/pets/{petId}</code>');
    expect(text).toContain('<time datetime="2026-11-20">');
    expect(text).toContain('It will be removed on <time datetime="2030-12-05">');
    expect(text).toContain('Its successor is <code>GET /pets</code>');
    expect(partOf(await textOf('/docs/reference'), 'getPet')).toContain('It will be removed on');
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

  it('are where the notice of a deprecated operation leads', async () => {
    const { headers } = await service.client.get('/v1/pets/404');
    const [, address] = /<([^>]*)>; rel="deprecation"/.exec(headers.get('link')!)!;
    expect((await fetch(address!)).status).toBe(200);
  });

  it('answer in HTML to people who ask for one that is not there, in the Error body to everybody else', async () => {
    const shown = await ask('/docs/nothing', { headers: BROWSER });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, HTML]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('content-security-policy')).toBe(POLICY);
    expect(await shown.text()).toContain('Nothing is at this address');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'image/png']) {
      const told = await ask('/docs/nothing', { headers: { Accept: accept } });
      expect([told.status, await told.json()]).toMatchObject([404, { code: 'route_not_found' }]);
    }
    const head = await ask('/docs/nothing', { method: 'HEAD', headers: BROWSER });
    expect([head.status, await head.text()]).toEqual([404, '']);
  });

  it('answer in the Error body where the links of a page would lead nowhere', async () => {
    for (const path of ['/nothing', '/docs/guide/nothing', '/docs/nothing/', '/docs//nothing']) {
      const told = await ask(path, { headers: BROWSER });
      expect([told.status, await told.json()]).toMatchObject([404, { code: 'route_not_found' }]);
    }
  });

  it('leave the answers of the API as they are, whoever asks', async () => {
    for (const path of ['/v1/nothing', '/v1', '/v1/pets/', '/v1/pets']) {
      const { headers, json } = await service.stranger.with(BROWSER).get(path);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(json).toHaveProperty('code');
    }
    const posted = await ask('/docs/nothing', { method: 'POST', headers: BROWSER });
    expect(await posted.json()).toMatchObject({ code: 'route_not_found' });
  });
});

describe('JSON on the page', () => {
  it('is laid out as JSON.stringify would', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        expect(layOutJson(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps its numbers as they are written', () => {
    const text = '[9223372036854775807,-9223372036854775808,1.10,70e-1]';
    expect(layOutJson(text).replaceAll(/\s/g, '')).toBe(text);
  });
});

it('text with markup in it becomes text on a page, not markup', () => {
  expect(html`<p title="${'"'}">${`<i>&'`} ${html`<b>${7}</b>`}</p>`.text).toBe(
    '<p title="&quot;">&lt;i&gt;&amp;&#39; <b>7</b></p>',
  );
});
