import { readFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { onOneEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { serve, type Served } from '../support/serve.js';
import { type Installation, installClient } from './built-client.js';
import { snippets } from './snippets.js';

const inChromium = it.skipIf(!browserIsInstalled);
const LOADED = '/petstore-client/';

onOneEngine((engine) => {
  let installation: Installation;
  let service: Service;
  let site: Served;
  let browser: Browser;
  let page: Page;

  beforeAll(() => {
    if (browserIsInstalled) installation = installClient();
  });
  beforeAll(async () => {
    if (!browserIsInstalled) return;
    // Serves the README's page, the built files unchanged, and the service from the same origin.
    site = await serve((incoming, response) => {
      const { url = '', method, headers } = incoming;
      if (url.startsWith('/v1')) {
        const onwards = forward(
          { host: '127.0.0.1', port: service.port, path: url, method, headers },
          (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)),
        );
        incoming.pipe(onwards);
      } else if (url.startsWith(LOADED)) {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(readFileSync(join(installation.dist, url.slice(LOADED.length))));
      } else {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<!doctype html><title>Pets</title><body>${snippets('html').join('')}`);
      }
    });
    service = await startService(engine, { environment: { CORS_ORIGINS: site.origin } });
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.addInitScript(`sessionStorage.setItem('petstore-key', '${service.secret}')`);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await service?.stop();
  });

  inChromium('the page of the client’s README lists the pets', async () => {
    for (let i = 0; i < 3; i++) await service.client.post('/v1/pets', { name: 'Rex 🐕', categoryId: 7 });
    await page.goto(site.origin);
    await page.waitForFunction(`document.body.innerText.includes('Rex 🐕 Rex 🐕 Rex 🐕')`);
  });

  inChromium('the client works from another origin, exactly, and reads all that it needs', async () => {
    for (let i = 0; i < 3; i++) await service.client.post('/v1/pets', { name: 'Cara', categoryId: 7 });
    await page.goto(site.origin);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const outcome = await page.evaluate(`(async () => {
      const { PetStoreClient } = await import('@petstore/client');
      const warnings = [];
      const client = new PetStoreClient({
        baseUrl: 'http://127.0.0.1:${service.port}/v1',
        apiKey: sessionStorage.getItem('petstore-key'),
        logger: { debug: () => undefined, warn: (message) => warnings.push(message) },
      });
      const { id } = await client.pets.create({ name: 'Cara', categoryId: 9223372036854775807n });
      const order = await client.orders.create({ petId: id });
      const { status } = await client.orders.update(order.id, { status: 'approved' });
      let cara = 0;
      for await (const { name } of client.pets.list({ pageSize: 1 })) if (name === 'Cara') cara++;
      const options = { headers: { 'X-Request-Id': 'browser-1' } };
      const { data, response } = await client.pets.get(id, options).withResponse();
      return [status, cara, data.status, String(data.categoryId), response.requestId, warnings.length];
    })()`);
    expect(outcome).toEqual(['approved', 4, 'pending', '9223372036854775807', 'browser-1', 1]);
    expect(complaints).toEqual([]);
  });

  inChromium(
    'the client does not read PETSTORE_API_KEY in a page, where a bundler may have put it',
    async () => {
      await page.goto(site.origin);
      const outcome = await page.evaluate(`(async () => {
      const { PetStoreClient } = await import('@petstore/client');
      globalThis.process = { env: { PETSTORE_API_KEY: 'psk_test_page' }, versions: {} };
      try {
        return String(new PetStoreClient({ baseUrl: new URL('/v1', location.href) }));
      } catch (error) {
        return String(error);
      }
    })()`);
      expect(outcome).toBe('TypeError: There is no API key: give the option apiKey.');
    },
  );
});
