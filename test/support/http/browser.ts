import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

/** What Chromium needs to run as root, in a closed network, without asking anybody anything. */
const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executablePath = inject('chromiumPath');

/** Whether there is a browser for tests; where there is none, they count as skipped. */
export const browserIsInstalled = executablePath !== undefined;

/** A real browser, with a profile of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: SWITCHES });
}
