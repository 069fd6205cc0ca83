import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsPage, html } from '../../src/platform/http/docs/pages.js';
import { errorCatalogue } from '../../src/platform/http/errors/error-codes.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const READING =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TRYING =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const PAGES = { '/docs': TRYING, '/docs/errors': READING, '/docs/deprecations': READING };
const FILES = {
  '/docs/pages.css': CSS,
  '/docs/init.js': SCRIPT,
  '/docs/lay-out-json.js': SCRIPT,
  '/docs/swagger-ui.css': CSS,
  '/docs/swagger-ui-bundle.js': SCRIPT,
  '/docs/favicon.png': 'image/png',
};

/** Plain JavaScript for browsers: the compiler knows nothing of it. */
const SCRIPT_OF_JSON = '../../src/platform/http/docs/assets/lay-out-json.js';
const { layOutJson } = (await import(SCRIPT_OF_JSON)) as { layOutJson: (text: string) => string };

describe('the documentation pages', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const ask = (path: string, wishes?: RequestInit) => fetch(service.stranger.origin + path, wishes);
    const textOf = async (path: string) => (await ask(path)).text();

    it.each(Object.entries(PAGES))(
      'are for everybody, under a policy of their own: %s',
      async (path, policy) => {
        const { status, headers } = await ask(path);
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe(HTML);
        expect(headers.get('content-security-policy')).toBe(policy);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
      },
    );

    it('are found with a slash at the end, too', async () => {
      const { status, headers } = await ask('/docs/', { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([308, '../docs']);
      expect((await ask('/docs/')).headers.get('content-type')).toBe(HTML);
    });

    it.each(Object.entries(FILES))('have what they are made of: %s', async (path, mediaType) => {
      const { status, headers } = await ask(path);
      expect([status, headers.get('content-type')]).toEqual([200, mediaType]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it.each(Object.keys({ ...PAGES, ...FILES }))('answer HEAD, and no other method: %s', async (path) => {
      const get = await ask(path);
      const head = await ask(path, { method: 'HEAD' });
      expect(head.status).toBe(200);
      for (const header of ['content-type', 'content-length', 'content-security-policy']) {
        expect(head.headers.get(header)).toBe(get.headers.get(header));
      }
      expect(await head.text()).toBe('');
      expect((await ask(path, { method: 'POST' })).status).toBe(405);
    });

    it.each([...Object.keys(FILES), '/openapi.json', '/openapi-3.0.json', '/openapi.yaml'])(
      'have files that go out compressed to who takes that: %s',
      async (path) => {
        const as = (encoding: string, more = {}) =>
          ask(path, { headers: { 'Accept-Encoding': encoding, ...more } });
        const [plain, zipped] = [await as('identity'), await as('br;q=0, gzip')];
        expect(await zipped.text()).toBe(await plain.text());
        expect(plain.headers.get('content-encoding')).toBeNull();
        const lengths = [plain, zipped].map(({ headers }) => Number(headers.get('content-length')));
        const saves = path !== '/docs/favicon.png';
        expect(zipped.headers.get('content-encoding')).toBe(saves ? 'gzip' : null);
        expect(lengths[1]! < lengths[0]! * 0.6).toBe(saves);
        for (const { headers } of [plain, zipped]) {
          expect([headers.get('vary'), headers.get('cache-control')]).toEqual([
            'Accept-Encoding',
            'no-cache',
          ]);
          const tag = headers.get('etag')!;
          const known = await as('gzip', { 'If-None-Match': tag, 'Cache-Control': 'no-cache' });
          expect(known.status).toBe(headers === zipped.headers || !saves ? 304 : 200);
        }
        expect((await as('gzip;q=0')).headers.get('content-encoding')).toBeNull();
      },
    );

    it('refer to nothing that is not there, and to no other host', async () => {
      for (const page of Object.keys(PAGES)) {
        const targets = [...(await textOf(page)).matchAll(/(?:href|src)="([^"#]*)/g)].map(
          ([, path]) => path!,
        );
        expect(targets.length).toBeGreaterThan(4);
        for (const target of new Set(targets.filter((path) => path !== ''))) {
          expect(target).toMatch(/^\/(?!\/)/);
          expect((await ask(target, { method: 'HEAD' })).status, target).toBe(200);
        }
      }
    });

    it('explain every error code, in a section of its own', async () => {
      const text = await textOf('/docs/errors');
      const sections = [...text.matchAll(/<section id="([^"]*)">/g)].map(([, id]) => id);
      expect(sections.toSorted()).toEqual([...errorCatalogue.keys()].toSorted());
      for (const { status } of errorCatalogue.values()) expect(text).toContain(`${status} `);
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
        expect(await textOf(type)).toContain(`<section id="${code}">`);
      }
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 401, 404, 405]));
    });

    it('show markup in an explanation as it stands', () => {
      const entry = { status: 499, meaning: 'Send `<b>` & "mind" the gap.', remedy: "Don't <script>." };
      const text = errorsPage([['x"><script>', entry]]);
      expect(text).toContain('<code>&lt;b&gt;</code> &amp; &quot;mind&quot; the gap.');
      expect(text).toContain('Don&#39;t &lt;script&gt;.');
      expect(text).toContain('<section id="x&quot;&gt;&lt;script&gt;">');
      expect(text).not.toContain('<script');
    });

    it('say what is deprecated, until when, and where to go instead', async () => {
      const text = await textOf('/docs/deprecations');
      expect([...text.matchAll(/<section id="([^"]*)">/g)].map(([, id]) => id)).toEqual(['getPet']);
      expect(text).toContain(`<code>GET ${service.client.origin}/v1/pets/{petId}</code>`);
      expect(text).toContain('<time datetime="2026-11-20">');
      expect(text).toContain('It will be removed on <time datetime="2030-12-05">');
      expect(text).toContain('Use <code>GET /pets</code> with the <code>status</code> filter instead.');
      expect(text).toContain(`<code>GET ${service.client.origin}/v1/pets</code>`);
    });

    it('are where the notice of a deprecated operation leads', async () => {
      const { headers } = await service.client.get('/v1/pets/404');
      const [, address] = /<([^>]*)>; rel="deprecation"/.exec(headers.get('link')!)!;
      expect(address).toBe(`${service.client.origin}/docs/deprecations`);
      expect((await fetch(address!)).status).toBe(200);
    });

    it('say so when an operation is gone', async () => {
      const environment = { DEPRECATED_OPERATIONS: 'gone', BASE_URL: 'https://pets.example/v1' };
      const later = await startService(engine, { environment });
      const text = await (await fetch(`${later.stranger.origin}/docs/deprecations`)).text();
      await later.stop();
      expect(text).toContain('and has been removed');
      expect(text).toContain('<code>GET https://pets.example/v1/pets/{petId}</code>');
    });

    it('can show the document without losing a digit of its examples', async () => {
      // Swagger UI reads the document with doubles.
      const text = await textOf('/openapi.json');
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    });
  }));

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
