import { InvalidArgumentError } from 'commander';
import { parseRate, type Rate, RATE_FORM } from '../../kernel/rate.js';

/** Reads a rate behind an option. @throws InvalidArgumentError */
export function readRate(text: string): Rate {
  const rate = parseRate(text);
  if (!rate) throw new InvalidArgumentError(`It must be ${RATE_FORM}.`);
  return rate;
}
