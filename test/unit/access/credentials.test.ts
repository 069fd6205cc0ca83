import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerCredential } from '../../../src/access/adapters/http/bearer.guard.js';
import { looksLikeSecret } from '../../../src/access/domain/key-secret.js';
import { Loopback } from '../loopback.js';

const KEY = 'an-operators-own-secret-of-some-length';

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

const credentialOf = async (headers: Record<string, string | string[]>) =>
  bearerCredential((await wire.receive({ method: 'GET', headers })).incoming);
const credentialIn = (authorization: string) => credentialOf({ Authorization: authorization });

describe('the credential of a request', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'comes with the scheme %s, in any case',
    async (scheme) => {
      expect(await credentialIn(`${scheme} ${KEY}`)).toBe(KEY);
    },
  );

  it('is not taken for another header that is just as long', async () => {
    expect(await credentialOf({ 'If-None-Match': '*', Authorization: `Bearer ${KEY}` })).toBe(KEY);
  });

  it('is not there without the header', async () => {
    expect(await credentialOf({ 'X-API-Key': KEY })).toBeUndefined();
  });

  it.each([
    `Basic ${KEY}`,
    KEY,
    `Bearer${KEY}`,
    `BearerX ${KEY}`,
    'Bearer',
    'Digest realm="shop", qop=auth',
    '',
  ])('is not there in "%s"', async (authorization) =>
    expect(await credentialIn(authorization)).toBeUndefined(),
  );

  it.each([`Bearer ${KEY} ${KEY}`, `Bearer ${KEY}, Bearer ${KEY}`, `Bearer "${KEY}"`])(
    'is there, though it is not the key, in "%s"',
    async (authorization) => {
      const credential = await credentialIn(authorization);
      expect(credential).toBeDefined();
      expect(credential).not.toBe(KEY);
    },
  );

  it.each<[string, string, string]>([
    ['the same twice', `Bearer ${KEY}`, `Bearer ${KEY}`],
    ['two keys', `Bearer ${KEY}`, 'Bearer another'],
    ['two schemes', `Bearer ${KEY}`, 'Basic c2hvcDpjYXQ='],
  ])('is there, though no key, when two headers bring one each: %s', async (_, one, other) => {
    const credential = await credentialOf({ Authorization: [one, other] });
    expect(credential).toBeDefined();
    expect(looksLikeSecret(credential!)).toBe(false);
  });
});
