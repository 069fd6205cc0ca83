import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsInstalled, launchBrowser } from '../support/browser.js';
import { type Service, startService } from '../support/service.js';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const LARGEST = '9223372036854775807';
const REX = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';
const ADA = `{"id":2,"name":"Ada","categoryId":${LARGEST},"status":"available"}`;

/** What a page shows does not depend on the engine, so the fastest will do. */
const inMemory = {
  create: () => Promise.resolve({ url: 'sqlite::memory:', drop: () => Promise.resolve() }),
};

const compact = (json: string) => json.replaceAll(/\s/g, '');

/** Each step begins where the one before has left the page, as for somebody who tries the service out. */
describe.skipIf(!browserIsInstalled)('a reader with a browser', { shuffle: false }, () => {
  let service: Service;
  let browser: Browser;
  let page: Page;
  const requested: URL[] = [];
  const complaints: string[] = [];

  const watch = (opened: Page) => {
    opened.on('request', (request) => requested.push(new URL(request.url())));
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  };

  beforeAll(async () => {
    // An address that leads nowhere from here: tries must go to the service that served the page all the same.
    service = await startService(inMemory, { environment: { BASE_URL: 'https://pets.example/v1' } });
    await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    context.setDefaultTimeout(30_000);
    context.on('page', watch);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const operation = (name: string) => page.locator(`#operations-pets-${name}`);
  const answerOf = (name: string) => operation(name).locator('.live-responses-table .response').first();
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

  /** Executes what is filled in, and waits until the page shows what came back, character for character. @returns that */
  async function execute(name: string, status: number): Promise<string> {
    const answered = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    await button(operation(name), 'Execute').click();
    const answer = await answered;
    expect(answer.status()).toBe(status);
    const shown = answerOf(name).locator('.highlight-code pre').first();
    const text = await answer.text();
    await expect.poll(async () => compact(await shown.innerText()), { timeout: 30_000 }).toBe(compact(text));
    await answerOf(name)
      .locator('.response-col_status', { hasText: String(status) })
      .waitFor();
    return text;
  }

  async function photograph(file: string, of: Locator): Promise<void> {
    if (!process.env['UPDATE_SCREENSHOTS']) return;
    await of.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
    // The key is worth nothing any more, but would look as if it was.
    const { secret } = service;
    const showing = page.locator('.curl').getByText(secret);
    await showing.evaluateAll((elements: { textContent: string }[], key) => {
      for (const element of elements) element.textContent = element.textContent.replace(key, 'psk_test_...');
    }, secret);
    await page.screenshot({ path: join(IMAGES, file), animations: 'disabled' });
  }

  it('finds the operations', async () => {
    await page.goto(`${service.stranger.origin}/docs`);
    await operation('createPet').waitFor();
    const { paths } = (await service.stranger.get('/openapi.json')).json as unknown as { paths: object };
    const described = Object.values(paths).flatMap((item: object) => Object.keys(item));
    expect(await page.locator('.opblock').count()).toBe(described.length);
    expect(await page.locator('.servers option').allInnerTexts()).toEqual([
      `${service.stranger.origin}/v1 - The service that served this page`,
    ]);
  });

  it('authorises with the key', async () => {
    await page.locator('.btn.authorize').click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').fill(service.secret);
    await dialog.locator('button[type=submit]').click();
    await dialog.getByText('Authorized').first().waitFor();
    await photograph('docs-authorised.png', page.locator('body'));
    await button(dialog, 'Close').click();
    await page.locator('.btn.authorize.locked').waitFor();
  });

  it('lists the pets', async () => {
    await operation('listPets').locator('.opblock-summary').click();
    await button(operation('listPets'), 'Try it out').click();
    expect(await execute('listPets', 200)).toBe(`[${REX}]`);
  });

  it('adds one, and sees every digit of a large integer', async () => {
    await operation('createPet').locator('.opblock-summary').click();
    await button(operation('createPet'), 'Try it out').click();
    const body = `{"name": "Ada", "categoryId": ${LARGEST}}`;
    await operation('createPet').locator('textarea.body-param__text').fill(body);
    expect(await execute('createPet', 201)).toBe(ADA);
    expect(await operation('createPet').locator('.curl').innerText()).toContain(LARGEST);
    await photograph('docs-try-it-out.png', operation('createPet').locator('.responses-wrapper'));
  });

  it('sees the new pet first in the list', async () => {
    expect(await execute('listPets', 200)).toBe(`[${ADA},${REX}]`);
  });

  it('is led from an error to its explanation', async () => {
    await operation('createPet').locator('textarea.body-param__text').fill('{"name": "", "categoryId": 7}');
    expect(await execute('createPet', 400)).toContain('"code":"validation_failed"');
    const explained = page.context().waitForEvent('page');
    await answerOf('createPet').getByRole('link', { name: 'What validation_failed means' }).click();
    const errors = await explained;
    await errors.locator('#validation_failed:target').waitFor();
    expect(errors.url()).toBe(`${service.stranger.origin}/docs/errors#validation_failed`);
    expect(await errors.locator('#validation_failed').innerText()).toContain('400 Bad Request');
    await errors.close();
    await photograph('docs-error.png', operation('createPet').locator('.responses-wrapper'));
  });

  it('reads what is deprecated', async () => {
    await page.getByRole('link', { name: 'Deprecations', exact: true }).click();
    await page.locator('#getPet').waitFor();
  });

  it('spoke to this service alone, and nothing that the pages did was against their policy', () => {
    const hosts = requested.filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin);
    expect(new Set(hosts)).toEqual(new Set([service.stranger.origin]));
    // The browser itself mentions the refusal that the reader asked for.
    expect(complaints.filter((text) => !text.includes('the server responded with a status of 400'))).toEqual(
      [],
    );
  });
});
