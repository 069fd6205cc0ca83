import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

/** Lets Chromium run as root, without internet access, with no prompts and no background requests. */
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

/** Whether a browser is installed; without one, the tests that need it are reported as skipped. */
export const browserIsInstalled = executablePath !== undefined;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: SWITCHES });
}
