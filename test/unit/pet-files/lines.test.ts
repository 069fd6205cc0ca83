import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, linesOf } from '../../../src/pet-files/adapters/cli/lines.js';

const MAX_LENGTH = 20;

/** The lines of bytes that arrive in pieces of this size. */
async function cut(bytes: Buffer, size: number): Promise<Line[]> {
  const lines: Line[] = [];
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  for await (const some of linesOf(pieces(), MAX_LENGTH)) lines.push(...some);
  return lines;
}

describe('the lines of a file', () => {
  it.each([1, 2, 3, 7, 1_000])('are the same in pieces of %i bytes', async (size) => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffa\r\n\n'),
      Buffer.from(`${'b'.repeat(MAX_LENGTH)}\r\n${'c'.repeat(MAX_LENGTH + 1)}\n`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(`${'d'.repeat(500)}\nä🐶\n\r\nend`),
    ]);
    expect(await cut(bytes, size)).toEqual([
      { number: 1, text: 'a' },
      { number: 3, text: 'b'.repeat(MAX_LENGTH) },
      { number: 4, problems: [{ field: '', code: 'too_long', message: 'is longer than 20 bytes' }] },
      { number: 5, problems: [{ field: '', code: 'malformed_text', message: 'is not valid UTF-8' }] },
      { number: 6, problems: [{ field: '', code: 'too_long', message: 'is longer than 20 bytes' }] },
      { number: 7, text: 'ä🐶' },
      { number: 9, text: 'end' },
    ]);
  });

  it('are all there, whatever they are and however they come', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-zé]{1,8}$/)),
        fc.integer({ min: 1, max: 9 }),
        async (texts, size) => {
          const lines = await cut(Buffer.from(texts.join('\n')), size);
          expect(lines).toEqual(texts.map((text, i) => ({ number: i + 1, text })));
        },
      ),
    ));

  it('of an empty file are none', async () => expect(await cut(Buffer.alloc(0), 1)).toEqual([]));
});
