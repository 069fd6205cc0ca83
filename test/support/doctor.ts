import { expect } from 'vitest';
import { petstore } from './petstore.js';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly what: string;
  readonly remedy?: string;
}

/** Runs the doctor. @returns its exit code, its findings, and those that are not ok, each as check, finding and remedy */
export async function examine(environment: Readonly<Record<string, string>>) {
  const { code, stdout } = await petstore(['doctor', '--json'], { LOG_LEVEL: 'silent', ...environment });
  const found = JSON.parse(stdout) as Finding[];
  expect(code).toBe(found.some(({ state }) => state === 'problem') ? 1 : 0);
  const wrong = found.filter(({ state }) => state !== 'ok');
  return { code, found, wrong: wrong.map(({ check, what, remedy }) => `${check}: ${what} ${remedy}`) };
}
