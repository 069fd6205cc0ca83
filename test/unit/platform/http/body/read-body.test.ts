import { gzipSync } from 'node:zlib';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyMemory, readBody as readOf } from '../../../../support/rooms/http.js';
import { departure, Loopback } from '../../../loopback.js';

const LIMIT = 200;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
const TEXT = '{"name":"Réx"}';
const LETTERS = Buffer.from(TEXT);
const FULL = 'x'.repeat(LIMIT);
const zipped = gzipSync(TEXT);
const BOMB = gzipSync(Buffer.alloc(50_000_000));
const spoilt = (at: number) => Buffer.from(zipped).fill(0x55, at, at + 4);
const ofType = (type: string) => ({ 'Content-Type': type });

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

const memory = new BodyMemory(2 * BOMB.length);
const readBody = (request: Request, limit = LIMIT, holding = memory) =>
  holding.share(request.res!, (share) => readOf(request, ['application/json'], limit, share));

type Body = readonly (string | Buffer)[];
async function read(headers: Record<string, string>, body: Body, limit = LIMIT): Promise<string> {
  const { incoming } = await wire.receive({ headers, body });
  return (await readBody(incoming, limit)).toString();
}
const rejectedWith = (code: string) => expect.objectContaining({ code }) as Error;

describe('a body', () => {
  it.each<[string, Record<string, string>, Body]>([
    ['with its length', JSON_TYPE, [TEXT]],
    ['in pieces that cut a letter in two', JSON_TYPE, [LETTERS.subarray(0, 11), LETTERS.subarray(11)]],
    ['compressed', GZIP, [zipped]],
    ['compressed, byte by byte', GZIP, Array.from(zipped, (byte) => Buffer.of(byte))],
    ['compressed, in two members', GZIP, [Buffer.concat([gzipSync('{"name"'), gzipSync(':"Réx"}')])]],
    ['compressed, in capitals', { ...GZIP, 'Content-Encoding': 'GZIP' }, [zipped]],
    ['not compressed, although it names an encoding', { ...GZIP, 'Content-Encoding': 'identity' }, [TEXT]],
    ['as a type in capitals', ofType('Application/JSON'), [TEXT]],
    ['in UTF-8, which is declared', ofType('application/json;charset=UTF-8'), [TEXT]],
    ['in UTF-8, which is declared in quotes', ofType('application/json; charset="utf-8"'), [TEXT]],
    ['in UTF-8, with spaces', ofType('application/json ;  charset=utf-8  '), [TEXT]],
    ['with another parameter', ofType('application/json; version=1'), [TEXT]],
    ['with an empty parameter', ofType('application/json;'), [TEXT]],
    ['with another charset, which is ignored', ofType('application/json; charset=latin1'), [TEXT]],
  ])('is read to its end when it comes %s', async (_, headers, body) => {
    expect(await read(headers, body)).toBe(TEXT);
  });

  it.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/problem+json', ''].map(ofType),
    ...['application/json-patch+json', 'application/merge-patch+json'].map(ofType),
    ...['application/json, application/json', 'application/*', 'json'].map(ofType),
    ...['deflate', 'br', 'zstd', 'gzip, gzip'].map((name) => ({ ...GZIP, 'Content-Encoding': name })),
    {},
  ])('is rejected with %j', async (headers) => {
    await expect(read(headers, [TEXT])).rejects.toThrow(rejectedWith('unsupported_media_type'));
  });

  it.each(['POST', 'GET'])('may be missing, and is empty then (%s)', async (method) => {
    const { incoming } = await wire.receive({ method });
    expect(await readBody(incoming)).toHaveLength(0);
  });

  it.each<[string, Record<string, string>, Body]>([
    ['with its length', JSON_TYPE, [FULL]],
    ['in pieces', JSON_TYPE, [FULL.slice(1), 'x']],
    ['when it is inflated', GZIP, [gzipSync(FULL)]],
  ])('may reach its limit %s', async (_, headers, body) => {
    expect(await read(headers, body)).toHaveLength(LIMIT);
  });

  it.each<[string, Record<string, string>, Body, limit?: number]>([
    ['with its length', JSON_TYPE, [`${FULL}x`]],
    ['in pieces', JSON_TYPE, [FULL, 'x']],
    ['in pieces of which the first is too long', JSON_TYPE, [`${FULL}x`, 'x']],
    ['when it is inflated', GZIP, [gzipSync(`${FULL}x`)]],
    ['as a bomb', GZIP, [BOMB], BOMB.length],
    // The compressed bytes count too, even if they inflate to nothing.
    ['with many empty members', GZIP, Array.from({ length: LIMIT }, () => gzipSync(''))],
  ])('may not pass its limit %s', async (_, headers, body, limit) => {
    await expect(read(headers, body, limit)).rejects.toThrow(rejectedWith('payload_too_large'));
  });

  it.each([
    { headers: { ...JSON_TYPE, 'Content-Length': '1000000' }, endless: true },
    { headers: JSON_TYPE, body: [`${FULL}x`], endless: true },
  ])('is rejected before its end if it exceeds its limit: %j', async (message) => {
    const { incoming } = await wire.receive(message);
    await expect(readBody(incoming)).rejects.toThrow(rejectedWith('payload_too_large'));
  });

  it.each([
    ['is not compressed at all', Buffer.from(TEXT)],
    ['was cut off', zipped.subarray(0, -1)],
    ['was changed on the way', spoilt(12)],
    ['has a wrong check sum', spoilt(zipped.length - 8)],
  ])('that is declared as compressed is rejected when it %s', async (_, bytes) => {
    await expect(read(GZIP, [bytes])).rejects.toThrow(rejectedWith('invalid_json'));
  });
});

describe('a client that leaves', () => {
  const half = { headers: { ...JSON_TYPE, 'Content-Length': '10' }, body: ['{"a"'], endless: true };

  it.each([half, { headers: GZIP, body: [zipped.subarray(0, 15)], endless: true }])(
    'in the middle of the body causes an error, and its data are not used: $headers',
    async (message) => {
      const { incoming, client } = await wire.receive(message);
      const reading = readBody(incoming);
      client.destroy();
      await expect(reading).rejects.toThrow(rejectedWith('invalid_json'));
    },
  );

  it('before the body is read causes an error at once', { timeout: 2_000 }, async () => {
    const { incoming, client } = await wire.receive(half);
    await departure(incoming, client);
    await expect(readBody(incoming)).rejects.toThrow(rejectedWith('invalid_json'));
  });
});
