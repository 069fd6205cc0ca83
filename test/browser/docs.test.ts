import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { browserIsInstalled, launchBrowser } from '../support/http/browser.js';
import { operationOn, PAGES, Watch } from '../support/http/pages.js';
import { type Service, startService } from '../support/service.js';

const LARGEST = '9223372036854775807';
const ADA = `{"id":1,"name":"Ada","categoryId":${LARGEST},"status":"available"}`;

/** Each test continues with the page as the previous one left it, as a user who tries the service would. */
describe.skipIf(!browserIsInstalled)('a reader with a browser', { shuffle: false }, () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let watch: Watch;

  beforeAll(async () => {
    service = await startService(sqlite);
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
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
    return (await operation.locator('.answer > pre').innerText()).replaceAll(/\s/g, '');
  }

  it('can try an operation with the key, and no digit of a large integer is lost', async () => {
    await open('/docs/');
    await page.getByRole('link', { name: 'POST createPet' }).click();
    await operationOn(page, 'createPet').locator('.try > summary').click();
    expect(await send('createPet', 401)).toContain('"code":"missing_api_key"');
    await keyOn(page).fill(service.secret);
    await operationOn(page, 'createPet').getByLabel('Body').fill(`{"name": "Ada", "categoryId": ${LARGEST}}`);
    expect(await send('createPet', 201)).toBe(ADA);
  });

  it('finds the entered key on every page of the same tab, and in no other tab', async () => {
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

  it('can read the whole of each sample, also beside the button that copies it', async () => {
    const covered = `[...document.querySelectorAll('.code')].filter((sample) => {
      const bottom = sample.querySelector('.copy').getBoundingClientRect().bottom;
      return bottom > sample.querySelector('code').getBoundingClientRect().top;
    }).length`;
    for (const path of ['/docs', '/docs/guide', '/docs/reference']) {
      await open(path);
      expect(await page.evaluate(covered), path).toBe(0);
    }
  });

  it('finds text on any page, with the keyboard alone, also if a letter is missing', async () => {
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
  });

  it('sees the searched word marked in each search result', async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('webhooks retry');
    const excerpt = page.locator('.found .excerpt', { has: page.locator('mark') }).first();
    await excerpt.waitFor();
    const [hit, frame] = [await excerpt.locator('mark').first().boundingBox(), await excerpt.boundingBox()];
    expect(hit!.y + hit!.height).toBeLessThanOrEqual(frame!.y + frame!.height);
    expect(hit!.x + hit!.width).toBeLessThanOrEqual(frame!.x + frame!.width);
  });

  it('keeps the chosen colour scheme and language after a reload', async () => {
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

  it('makes requests to this service only, and no page violates its content security policy', async () => {
    for (const path of PAGES) await open(path);
    expect(watch.origins).toEqual([service.stranger.origin]);
    expect(watch.complaints).toEqual([]);
  });
});
