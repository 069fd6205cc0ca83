import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTo } from '../../../../../src/platform/ops/cli/files.js';

describe('a file that is written as a whole', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'petstore-whole-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('takes the place of the one before when it is complete, and leaves nothing else behind', async () => {
    const file = join(folder, 'animals.csv');
    async function* content(text: string, fails: boolean) {
      yield text;
      if (fails) throw new Error('the database is gone');
      yield '!';
    }
    const write = (text: string, fails: boolean) => writeTo(file, new PassThrough(), content(text, fails));
    await write('first', false);
    await expect(write('second', true)).rejects.toThrow('the database is gone');
    expect(await readFile(file, 'utf8')).toBe('first!');
    await write('third', false);
    expect(await readFile(file, 'utf8')).toBe('third!');
    expect(await readdir(folder)).toEqual(['animals.csv']);
  });
});
