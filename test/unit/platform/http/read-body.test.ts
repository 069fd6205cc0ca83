import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/platform/http/input.guard.js';
import { departure, Loopback } from '../../loopback.js';
import { gzipSync } from 'node:zlib';

const LIMIT = 200;
const JSON_TYPE = { 'Content-Type': 'application/json' };

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

async function read(headers: Record<string, string>, ...body: (string | Buffer)[]): Promise<string> {
  const { incoming } = await wire.receive({ headers, body });
  return (await readBody(incoming, LIMIT)).toString();
}
const rejectedWith = (code: string) => expect.objectContaining({ code }) as Error;

describe('a body', () => {
  it.each([
    ['with its length', ['{"name":"Réx"}']],
    ['in pieces', ['{"na', 'me":"R', 'éx"}']],
    [
      'in pieces that cut a letter in two',
      [Buffer.from('{"name":"R\xc3', 'latin1'), Buffer.from('\xa9x"}', 'latin1')],
    ],
  ])('is read to its end when it comes %s', async (_, body) => {
    expect(await read(JSON_TYPE, ...body)).toBe('{"name":"Réx"}');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ;  charset=utf-8  ',
  ])('may come as %s', async (type) => {
    expect(await read({ 'Content-Type': type }, '{}')).toBe('{}');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/json; charset=iso-8859-1',
    'application/json, application/json',
    '',
  ])('may not come as "%s"', async (type) => {
    await expect(read({ 'Content-Type': type }, '{}')).rejects.toThrow(
      rejectedWith('unsupported_media_type'),
    );
  });

  it.each([
    ['application/json; charset=latin1', 'latin1'],
    ['application/json; charset=utf-8; charset="UTF-16"', 'UTF-16'],
  ])('in another charset is refused by its name: %s', async (type, charset) => {
    await expect(read({ 'Content-Type': type }, '{}')).rejects.toThrow(
      `The charset ${charset} is not supported. Send the body as UTF-8`,
    );
  });

  it.each(['POST', 'GET'])('may be missing altogether: then it is empty (%s)', async (method) => {
    const { incoming } = await wire.receive({ method });
    expect(await readBody(incoming, LIMIT)).toHaveLength(0);
  });
});

describe('the limit of a body', () => {
  it.each([
    ['with its length', ['x'.repeat(LIMIT)]],
    ['in pieces', ['x'.repeat(LIMIT - 1), 'x']],
  ])('may be reached %s', async (_, body) => {
    expect(await read(JSON_TYPE, ...body)).toHaveLength(LIMIT);
  });

  it.each([
    ['with its length', ['x'.repeat(LIMIT + 1)]],
    ['in pieces', ['x'.repeat(LIMIT), 'x']],
    ['in pieces of which the first is too long', ['x'.repeat(LIMIT + 1), 'x']],
  ])('may not be passed %s', async (_, body) => {
    await expect(read(JSON_TYPE, ...body)).rejects.toThrow(rejectedWith('payload_too_large'));
  });

  it('holds before anything was sent', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': '1000000' };
    const { incoming } = await wire.receive({ headers, endless: true });
    await expect(readBody(incoming, LIMIT)).rejects.toThrow(rejectedWith('payload_too_large'));
  });

  it('holds for a body without end', async () => {
    const { incoming } = await wire.receive({
      headers: JSON_TYPE,
      body: ['x'.repeat(LIMIT + 1)],
      endless: true,
    });
    await expect(readBody(incoming, LIMIT)).rejects.toThrow(rejectedWith('payload_too_large'));
  });
});

describe('a client who leaves', () => {
  const half = { headers: { ...JSON_TYPE, 'Content-Length': '10' }, body: ['{"a"'], endless: true };

  it('in the middle of the body has sent nothing that could be used', async () => {
    const { incoming, client } = await wire.receive(half);
    const reading = readBody(incoming, LIMIT);
    client.destroy();
    await expect(reading).rejects.toThrow(rejectedWith('invalid_json'));
  });

  it('before anybody read the body keeps nobody waiting', async () => {
    const { incoming, client } = await wire.receive(half);
    await departure(incoming, client);
    await expect(readBody(incoming, LIMIT)).rejects.toThrow(rejectedWith('invalid_json'));
  }, 2_000);
});

const GZIP = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
const text = '{"name":"Réx"}';
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
