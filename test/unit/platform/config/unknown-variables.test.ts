import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { misspelt, strayLines } from '../../../../src/platform/config/unknown-variables.js';

const KNOWN = ['PORT', 'HOST', 'DATABASE_URL', 'LOG_LEVEL'];

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
])('%s looks like %s', (name, meant) => {
  expect(misspelt({ [name]: 'x' }, KNOWN)).toEqual(new Map([[name, meant]]));
});

it.each(['PATH', 'HOME', 'PORT', 'HOSTNAME', 'DATABASE_PASSWORD', 'TERM'])('%s looks like none', (name) => {
  expect(misspelt({ [name]: 'x' }, KNOWN).size).toBe(0);
});

it.each(['\n', '\r\n'])(
  'lines of a file .env that are passed over are found; comments and long texts are none: %j',
  (end) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-env-'));
    const file = join(folder, '.env');
    expect(strayLines(file)).toEqual([]);
    const text = '# a comment\n\nPORT=1\nexport HOST = x\nnonsense here\nTEXT="one\ntwo"\n=x\n';
    writeFileSync(file, text.replaceAll('\n', end));
    expect(strayLines(file)).toEqual([5, 8]);
    rmSync(folder, { recursive: true });
  },
);
