import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerCredential } from '../../../src/access/adapters/http/bearer.guard.js';
import { looksLikeSecret } from '../../../src/access/domain/key-secret.js';
import { Loopback } from '../loopback.js';

const KEY = 'an-operators-own-secret-of-some-length';

let wire: Loopback;
beforeAll(async () => (wire = await Loopback.open()));
afterAll(() => wire.close());

const credentialOf = async (...values: string[]) => {
  const headers = {
    'If-None-Match': '*',
    'X-API-Key': KEY,
    ...(values.length > 0 && { Authorization: values }),
  };
  return bearerCredential((await wire.receive({ method: 'GET', headers })).incoming);
};

describe('the credential of a request', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])(
    'comes with the scheme "%s"',
    async (scheme) => {
      expect(await credentialOf(`${scheme} ${KEY}`)).toBe(KEY);
    },
  );

  it.each([
    ...[
      `Basic ${KEY}`,
      KEY,
      `Bearer${KEY}`,
      `BearerX ${KEY}`,
      'Bearer',
      'Digest realm="shop", qop=auth',
      '',
    ].map((value) => [value]),
    [],
  ])('is not there in "%s"', async (...values) => expect(await credentialOf(...values)).toBeUndefined());

  it.each([
    [`Bearer ${KEY} ${KEY}`],
    [`Bearer ${KEY}, Bearer ${KEY}`],
    [`Bearer "${KEY}"`],
    [`Bearer ${KEY}`, `Bearer ${KEY}`],
    [`Bearer ${KEY}`, 'Bearer another'],
    [`Bearer ${KEY}`, 'Basic c2hvcDpjYXQ='],
  ])('is there, though no key, in "%s", "%s"', async (...values) => {
    const credential = await credentialOf(...values);
    expect(credential).toBeDefined();
    expect(looksLikeSecret(credential!)).toBe(false);
  });
});
