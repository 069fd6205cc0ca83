import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bearerCredential } from '../../../src/access/adapters/http/bearer.guard.js';

const KEY = 'an-operators-own-secret-of-some-length';

function credentialOf(authorization?: string) {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'x-api-key': KEY, authorization };
  return bearerCredential(request);
}

describe('the credential of a request', () => {
  it.each(['Bearer', 'bEaReR', 'Bearer  '])('is read with the scheme "%s"', (scheme) => {
    expect(credentialOf(`${scheme} ${KEY}`)).toBe(KEY);
  });

  it.each([`Basic ${KEY}`, KEY, `Bearer${KEY}`, `BearerX ${KEY}`, 'Digest realm="shop", qop=auth'])(
    'is missing in "%s"',
    (value) => expect(credentialOf(value)).toBeUndefined(),
  );

  it('is missing without the header', () => expect(credentialOf()).toBeUndefined());

  // Two headers over HTTP are tested in test/e2e/access/authentication.test.ts.
  it('is not the key when Node has joined two headers', () => {
    expect(credentialOf(`Bearer ${KEY}, Basic c2hvcDpjYXQ=`)).not.toBe(KEY);
  });
});
