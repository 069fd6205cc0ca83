import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../../src/app.module.js';
import { errorCatalogue } from '../../src/platform/http/errors/error-codes.js';

describe('the table of errors in docs/api.md', () => {
  it('says of each code what the service says of it, and knows no other', () => {
    const table = readFileSync('docs/api.md', 'utf8').matchAll(
      /^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\| (.+?) +\|/gm,
    );
    const told = [...table].map(([, status, code, meaning, remedy]) => [
      code,
      { status: Number(status), meaning, remedy },
    ]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(errorCatalogue));
  });
});
