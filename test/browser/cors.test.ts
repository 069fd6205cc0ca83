import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { serve, type Served } from '../support/serve.js';
import { type Service, startService } from '../support/service.js';

describe.skipIf(!browserIsInstalled)('a page of another origin, in a browser,', () => {
  let shop: Served;
  let service: Service;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    shop = await serve((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>Shop'));
    service = await startService(sqlite, { environment: { CORS_ORIGINS: shop.origin } });
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.goto(shop.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await shop?.close();
  });

  /** What a script of the page can read of a response. An error of the script fails the test. */
  const read = (method: string, path: string) => {
    const options = { method, headers: { Authorization: `Bearer ${service.secret}` } };
    const script = `fetch(${JSON.stringify(service.stranger.origin + path)}, ${JSON.stringify(options)})
      .then(async (answer) => [answer.status, answer.headers.get('allow'), (await answer.json()).code])`;
    return page.evaluate(script);
  };

  it('can read that a URL does not exist', async () => {
    expect(await read('GET', '/v1/cats')).toEqual([404, null, 'route_not_found']);
  });

  it('can read which methods a URL has', async () => {
    const allow = 'GET, HEAD, OPTIONS, POST';
    expect(await read('DELETE', '/v1/pets')).toEqual([405, allow, 'method_not_allowed']);
  });

  it('can read pets', async () => {
    expect(await read('GET', '/v1/pets')).toEqual([200, null, undefined]);
  });
});
