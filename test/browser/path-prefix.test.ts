import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { operationOn, PAGES, Watch } from '../support/http/pages.js';
import { freePort, programPath } from '../support/processes/local-program.js';
import { Program } from '../support/program.js';
import { type Service, startService } from '../support/service.js';

const CONFIGURATION = join(import.meta.dirname, 'path-prefix.cfg');
const haproxy = programPath('haproxy');

/** The proxy strips /petstore, and responds to all other requests itself. */
describe.skipIf(!browserIsInstalled || !haproxy)('a reader behind a proxy that serves below a path', () => {
  let service: Service;
  let proxy: Program;
  let base: string;
  let browser: Browser;
  let page: Page;
  let watch: Watch;
  const asked = new Set<string>();

  beforeAll(async () => {
    const LISTEN = `127.0.0.1:${await freePort()}`;
    base = `http://${LISTEN}/petstore`;
    service = await startService(sqlite, { environment: { BASE_URL: `${base}/v1` } });
    await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const environment = { LISTEN, SERVICE: `127.0.0.1:${service.port}` };
    proxy = Program.run(haproxy!, ['-db', '-f', CONFIGURATION], environment);
    const hasEnded = proxy.end().then(({ output: why }) => Promise.reject(new Error(why)));
    await Promise.race([eventually(async () => (await fetch(`${base}/livez`)).ok), hasEnded]);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    watch = new Watch(page);
    page.on('request', (request) => asked.add(request.url()));
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop('SIGKILL');
    await service?.stop();
  });

  it('sees every page with its style and its theme', async () => {
    for (const path of PAGES) {
      const answer = await page.goto(base + path);
      expect(answer!.status(), path).toBe(200);
      await page.getByRole('button', { name: 'Dark' }).waitFor();
      expect(await page.evaluate('getComputedStyle(document.querySelector(".bar")).position')).toBe('sticky');
    }
  });

  it.each(['/docs', '/docs/'])(
    'begins at the quick start, with and without a slash at the end: %s',
    async (path) => {
      await page.goto(base + path);
      expect(page.url()).toBe(`${base}/docs/`);
      await page.getByRole('heading', { name: 'Quick start', exact: true }).waitFor();
      expect(await page.locator('main').innerText()).toContain(`PETSTORE_URL=${base}/v1`);
      await page.getByRole('link', { name: 'the guide', exact: true }).click();
      await page.waitForURL(/\/petstore\/docs\/guide#/);
    },
  );

  it('can follow links, search, and try an operation', async () => {
    await page.goto(`${base}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency in progress');
    await page.locator('.found a').first().click();
    await page.waitForURL(`${base}/docs/errors#idempotency_in_progress`);
    await page.getByRole('link', { name: 'GET listPets' }).click();
    const operation = operationOn(page, 'listPets');
    await operation.locator('.try > summary').click();
    await operation.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'What missing_api_key means' }).click();
    await page.locator('h2#missing_api_key:target').waitFor();
    await page.goBack();
    await operation.locator('.try > summary').click();
    await operation.getByLabel('API key').fill(service.secret);
    await operation.getByRole('button', { name: 'Send', exact: true }).click();
    await operation.locator('.status', { hasText: '200' }).waitFor();
    expect(await operation.locator('.answer > pre').innerText()).toContain('"Rex"');
  });

  it('makes requests below that path only, and no page violates its content security policy', () => {
    expect([...asked].filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
    const scripts = ['search.js', 'search.json', 'minisearch.js', 'try-it.js'];
    expect([...asked]).toEqual(expect.arrayContaining(scripts.map((name) => `${base}/docs/${name}`)));
    expect(watch.complaints).toEqual([]);
  });
});
