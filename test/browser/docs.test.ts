import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { operationOn, PAGES, Watch } from '../support/http/pages.js';
import { type Service, startService } from '../support/service.js';

const LARGEST = '9223372036854775807';
const REX = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';
const ADA = `{"id":2,"name":"Ada","categoryId":${LARGEST},"status":"available"}`;

/** What a page shows does not depend on the database engine, so the fastest one is used. */
const inMemory = {
  create: () => Promise.resolve({ url: 'sqlite::memory:', drop: () => Promise.resolve() }),
};

const compact = (json: string) => json.replaceAll(/\s/g, '');

/** Each test continues with the page as the previous one left it, as a user who tries the service would. */
describe.skipIf(!browserIsInstalled)('a reader with a browser', { shuffle: false }, () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let watch: Watch;

  beforeAll(async () => {
    service = await startService(inMemory);
    await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    browser = await launchBrowser();
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    watch = new Watch(page);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = (path: string, on = page) => on.goto(service.stranger.origin + path);
  const keyOn = (on: Page) => operationOn(on, 'createPet').getByLabel('API key');

  /** Submits the form of an operation, and waits until the page shows the response. @returns its body without whitespace */
  async function send(name: string, status: number): Promise<string> {
    const operation = operationOn(page, name);
    const answered = page.waitForResponse((response) => response.url().includes('/v1/'));
    await operation.getByRole('button', { name: 'Send', exact: true }).click();
    expect((await answered).status()).toBe(status);
    await operation.locator('.status', { hasText: String(status) }).waitFor();
    return compact(await operation.locator('.answer > pre').innerText());
  }

  it('opens on a quick start with the address that the page came from', async () => {
    await open('/docs/');
    await page.getByRole('heading', { name: 'Quick start', exact: true }).waitFor();
    expect(await page.locator('main').innerText()).toContain(`PETSTORE_URL=${service.stranger.origin}/v1`);
  });

  it('tries an operation with the key, and loses no digit of a large integer', async () => {
    await page.getByRole('link', { name: 'POST createPet' }).click();
    await operationOn(page, 'createPet').locator('.try > summary').click();
    expect(await send('createPet', 401)).toContain('"code":"missing_api_key"');
    await keyOn(page).fill(service.secret);
    await operationOn(page, 'createPet').getByLabel('Body').fill(`{"name": "Ada", "categoryId": ${LARGEST}}`);
    expect(await send('createPet', 201)).toBe(ADA);
  });

  it('has entered the key for the other operations as well', async () => {
    await operationOn(page, 'listPets').locator('.try > summary').click();
    expect(await send('listPets', 200)).toBe(`[${ADA},${REX}]`);
    await operationOn(page, 'listPets').getByLabel('limit').fill('1');
    await operationOn(page, 'listPets').getByLabel('status').selectOption('available');
    expect(await send('listPets', 200)).toBe(`[${ADA}]`);
    await operationOn(page, 'getPet').locator('.try > summary').click();
    await operationOn(page, 'getPet').getByLabel('petId').fill('1');
    expect(await send('getPet', 200)).toBe(REX);
  });

  it('finds the key on every page of this tab, and nowhere else', async () => {
    await open('/docs/guide');
    await open('/docs/reference');
    expect(await keyOn(page).inputValue()).toBe(service.secret);
    const other = await context.newPage();
    await open('/docs/reference', other);
    expect(await keyOn(other).inputValue()).toBe('');
    await other.close();
    const { cookies, origins } = await context.storageState();
    expect(JSON.stringify([cookies, origins])).not.toContain(service.secret);
  });

  it('copies commands, with the key that was entered', async () => {
    await open('/docs');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `export PETSTORE_URL=${service.stranger.origin}/v1 PETSTORE_API_KEY=${service.secret}`,
    );
  });

  it('reads the whole of each sample, also beside the button to copy it', async () => {
    const covered = `[...document.querySelectorAll('.code')].filter((sample) => {
      const bottom = sample.querySelector('.copy').getBoundingClientRect().bottom;
      return bottom > sample.querySelector('code').getBoundingClientRect().top;
    }).length`;
    for (const path of ['/docs', '/docs/guide', '/docs/reference']) {
      await open(path);
      expect(await page.evaluate(covered), path).toBe(0);
    }
  });

  it('sees on a phone that a sample goes on, reads it to its end, and the table of codes at once', async () => {
    const phone = await browser.newPage({ viewport: { width: 390, height: 850 }, hasTouch: true });
    await open('/docs/guide', phone);
    const block = phone.locator('pre').first();
    /** The edge at the right, below the text. */
    const edge = async () => {
      const { x, y, width, height } = (await block.boundingBox())!;
      return phone.screenshot({ clip: { x: x + width - 9, y: y + height - 9, width: 4, height: 4 } });
    };
    await block.scrollIntoViewIfNeeded();
    const shaded = await edge();
    await block.evaluate((element: { scrollTo(x: number, y: number): void }) => element.scrollTo(9_999, 0));
    expect(shaded.equals(await edge())).toBe(false);
    const [width, shown] = await phone.evaluate<[number, number]>(`(() => {
      const table = document.querySelector('#codes ~ .scroll');
      return [table.scrollWidth, table.clientWidth];
    })()`);
    expect(width).toBe(shown);
    await phone.close();
  });

  it('is led from an error to its explanation', async () => {
    await open('/docs/reference#createPet');
    await operationOn(page, 'createPet').locator('.try > summary').click();
    await operationOn(page, 'createPet').getByLabel('Body').fill('{"name": "", "categoryId": 7}');
    expect(await send('createPet', 400)).toContain('"code":"validation_failed"');
    await page.getByRole('link', { name: 'What validation_failed means' }).click();
    await page.locator('h2#validation_failed:target').waitFor();
  });

  it('finds what is on any page, with the keyboard alone, also if a letter is missing', async () => {
    const found = async (typed: string, ...keys: string[]) => {
      await page.keyboard.press('/');
      await page.keyboard.type(typed);
      await page.locator('.found a').first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForURL(/#|changelog/);
      return page.url().slice(service.stranger.origin.length);
    };
    await open('/docs');
    expect(await found('idempotncy in progress', 'Enter')).toBe('/docs/errors#idempotency_in_progress');
    await open('/docs/errors');
    expect(await found('W3C trace context', 'ArrowDown', 'Enter')).toBe('/docs/guide#request-ids');
    await open('/docs/errors');
    expect(await found('pagination', 'Enter')).toBe('/docs/guide#listpets-get-pets');
    await open('/docs/guide/store');
    expect(await found('int64 petId listPets', 'Enter')).toMatch(/^\/docs\/(?:guide|reference)#/);
  });

  it('sees in what was found why it was found', async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('webhooks retry');
    const excerpt = page.locator('.found .excerpt', { has: page.locator('mark') }).first();
    await excerpt.waitFor();
    const [hit, frame] = [await excerpt.locator('mark').first().boundingBox(), await excerpt.boundingBox()];
    expect(hit!.y + hit!.height).toBeLessThanOrEqual(frame!.y + frame!.height);
    expect(hit!.x + hit!.width).toBeLessThanOrEqual(frame!.x + frame!.width);
  });

  it('reads in the dark or in the light, and in the language that was chosen', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await open('/docs/reference');
    const light = await background();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await operationOn(page, 'listPets').getByText('Python', { exact: true }).click();
    await page.reload();
    expect(await background()).toBe(dark);
    for (const name of ['listPets', 'createPet'])
      expect(await operationOn(page, name).locator('.samples pre').first().isVisible()).toBe(false);
    expect(await operationOn(page, 'createPet').locator('[data-language=python]').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await background()).toBe(light);
  });

  it('can subscribe to the changelog: a feed of the versions with a date', async () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const versions = [...changelog.matchAll(/^## \[([\d.]+)\] - (.*)$/gm)].map(([, title, day]) => [
      title,
      `${day}T00:00:00Z`,
    ]);
    await open('/docs/changelog');
    const address = await page.locator('link[type="application/atom+xml"]').getAttribute('href');
    const feedAddress = new URL(address!, page.url()).href;
    const answer = await page.request.get(feedAddress);
    expect(answer.headers()['content-type']).toBe('application/atom+xml');
    const { entries, links } = await page.evaluate<{ entries: string[][]; links: string[] }>(`(() => {
      const feed = new DOMParser().parseFromString(${JSON.stringify(await answer.text())}, 'application/xml');
      const parts = ['title', 'updated'];
      const entries = [...feed.querySelectorAll('entry')].map((entry) =>
        parts.map((part) => entry.querySelector(part).textContent));
      return { entries, links: [...feed.querySelectorAll('link')].map((link) => link.getAttribute('href')) };
    })()`);
    expect(versions.length).toBeGreaterThan(0);
    expect(entries).toEqual(versions);
    for (const link of links) expect(link).toMatch(/^\.\.\/docs\/changelog/);
    await page.goto(new URL(links.at(-1)!, feedAddress).href);
    await page.locator('h2:target').waitFor();
  });

  it('spoke to this service alone, and nothing that the pages did was against their policy', async () => {
    for (const path of PAGES) await open(path);
    expect(watch.origins).toEqual([service.stranger.origin]);
    expect(watch.complaints).toEqual([]);
  });
});
