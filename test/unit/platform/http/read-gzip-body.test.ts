import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/platform/http/input.guard.js';
import { Loopback } from '../../loopback.js';

const LIMIT = 200;
const GZIP = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
const text = '{"name":"Réx"}';

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

async function read(headers: Record<string, string>, ...body: Buffer[]): Promise<string> {
  const { incoming } = await wire.receive({ headers, body });
  return (await readBody(incoming, LIMIT)).toString();
}
const rejectedWith = (code: string) => expect.objectContaining({ code }) as Error;
const spoilt = (at: number) => Buffer.from(gzipSync(text)).fill(0x55, at, at + 4);
const inPieces = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.of(byte));

describe('a body that was compressed', () => {
  it.each([
    ['with its length', [gzipSync(text)]],
    ['byte by byte', inPieces(gzipSync(text))],
    ['in two members', [Buffer.concat([gzipSync(text.slice(0, 5)), gzipSync(text.slice(5))])]],
  ])('is inflated when it comes %s', async (_, body) => expect(await read(GZIP, ...body)).toBe(text));

  it('may say that it was not, after all', async () => {
    expect(await read({ ...GZIP, 'Content-Encoding': 'identity' }, Buffer.from(text))).toBe(text);
  });

  it.each(['deflate', 'br', 'zstd', 'gzip, gzip'])('may not come as %s', async (encoding) => {
    const reading = read({ ...GZIP, 'Content-Encoding': encoding }, Buffer.from(text));
    await expect(reading).rejects.toThrow(rejectedWith('unsupported_media_type'));
  });
});

describe('the limit of a body that was compressed', () => {
  it('may not be passed by what it inflates to', async () => {
    await expect(read(GZIP, gzipSync('x'.repeat(LIMIT + 1)))).rejects.toThrow(
      rejectedWith('payload_too_large'),
    );
  });

  it('stops a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { incoming } = await wire.receive({ headers: GZIP, body: [bomb] });
    await expect(readBody(incoming, bomb.length)).rejects.toThrow(rejectedWith('payload_too_large'));
  });

  it('may not be passed by what is sent, even if it inflates to nothing', async () => {
    const nothing = gzipSync('');
    const many = Array.from({ length: LIMIT }, () => nothing);
    await expect(read(GZIP, ...many)).rejects.toThrow(rejectedWith('payload_too_large'));
  });
});

describe('a body that was compressed badly', () => {
  it.each([
    ['is not compressed at all', Buffer.from(text)],
    ['was cut off', gzipSync(text).subarray(0, -1)],
    ['was changed on the way', spoilt(12)],
    ['has a wrong check sum', spoilt(gzipSync(text).length - 8)],
  ])('is rejected when it %s', async (_, bytes) => {
    await expect(read(GZIP, bytes)).rejects.toThrow(rejectedWith('invalid_json'));
  });

  it('is rejected when the client leaves in the middle', async () => {
    const body = [gzipSync(text).subarray(0, 15)];
    const { incoming, client } = await wire.receive({ headers: GZIP, body, endless: true });
    const reading = readBody(incoming, LIMIT);
    client.destroy();
    await expect(reading).rejects.toThrow(rejectedWith('invalid_json'));
  });
});
