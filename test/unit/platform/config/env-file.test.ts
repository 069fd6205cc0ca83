import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { strayLines } from '../../../../src/platform/config/env-file.js';

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
