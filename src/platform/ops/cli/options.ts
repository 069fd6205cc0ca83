import { createRequire } from 'node:module';
import type * as commander from 'commander';
import { parseRate, type Rate, RATE_FORM } from '../../../kernel/rate.js';

/** Parses the value of an option as a rate. @throws InvalidArgumentError */
export function readRate(text: string): Rate {
  const rate = parseRate(text);
  if (!rate) throw invalid(`It must be ${RATE_FORM}.`);
  return rate;
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses the value of an option as a duration. @returns milliseconds @throws InvalidArgumentError */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw invalid('Durations look like 90d, 24h, 30m or 10s.');
  return Number(count) * UNITS[unit!]!;
}

/** Only a command needs the package of this error, and the service loads this file. */
function invalid(message: string): Error {
  const { InvalidArgumentError } = createRequire(import.meta.url)('commander') as typeof commander;
  return new InvalidArgumentError(message);
}
