import { InvalidArgumentError } from 'commander';
import { Int64 } from '../../../kernel/int64.js';
import { readDuration } from '../../../platform/ops/cli/options.js';
import { printable } from '../../../platform/ops/cli/output.js';
import type { Scope } from '../../domain/api-key.js';

const MAX_SCOPES = 20;

/** Parsers of option values. Each throws Commander's error for a value that it cannot parse. */
export function readId(text: string): Int64 {
  const id = Int64.parse(text);
  if (id === undefined || id < 1n) throw new InvalidArgumentError('A key id is a whole number from 1 on.');
  return id;
}

export function readScopes(text: string): Scope[] {
  const scopes = [...new Set(text.split(','))];
  if (scopes.length > MAX_SCOPES) throw new InvalidArgumentError(`At most ${MAX_SCOPES} scopes, please.`);
  return scopes;
}

/** When a key ends, in ms: since 1970, or from its issue on. */
export type End = { readonly at: number } | { readonly in: number };

/** When a key ends: a day (from its beginning, in UTC) or a duration. The clock of the database decides when that is over. */
export function readEnd(text: string, now: number): End {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const duration = readDuration(text);
    if (duration === 0) throw new InvalidArgumentError('The key would expire at once.');
    return { in: duration };
  }
  const end = Date.parse(text);
  // `Date` accepts 30 February and makes it 2 March.
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('This day does not exist.');
  }
  if (end <= now) throw new InvalidArgumentError('This day is in the past.');
  return { at: end };
}

export function readName(text: string): string {
  // A name is shown on terminals.
  if (text.trim() === '' || text.length > 255 || printable(text) !== text) {
    throw new InvalidArgumentError(
      'A name has 1 to 255 characters, none of them a control or invisible one.',
    );
  }
  return text;
}
