import type { Locator, Page } from 'playwright-core';

export const PAGES = [
  '/docs',
  '/docs/guide',
  '/docs/guide/store',
  '/docs/client',
  '/docs/mcp',
  '/docs/reference',
  '/docs/errors',
  '/docs/deprecations',
  '/docs/changelog',
];

/** The section of an operation in the reference, with its samples and the form to try it. */
export const operationOn = (page: Page, name: string): Locator => page.locator(`article:has(h2#${name})`);

/** Records the origins that a page requests, and the errors and warnings that the browser reports. */
export class Watch {
  readonly #origins = new Set<string>();
  readonly complaints: string[] = [];

  constructor(page: Page) {
    page.on('request', (request) => this.#origins.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // The browser itself reports responses with a 4xx status.
      const isOfAnswer = message.text().includes('the server responded with a status of 4');
      if (['error', 'warning'].includes(message.type()) && !isOfAnswer) this.complaints.push(message.text());
    });
  }

  get origins(): string[] {
    return [...this.#origins];
  }
}
