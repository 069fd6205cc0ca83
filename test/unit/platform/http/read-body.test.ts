import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/platform/http/input.guard.js';
import { departure, Loopback } from '../../loopback.js';

const LIMIT = 20;
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
