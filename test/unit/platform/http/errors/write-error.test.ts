import { describe, expect, it } from 'vitest';
import { uriReference } from '../../../../../src/platform/http/errors/write-error.js';

describe('the address of a problem (RFC 9457 section 3.1.5)', () => {
  it.each([
    ['/v1/pets/1', '/v1/pets/1'],
    ["/a-._~!$&'()*+,;=:@b/%C3%BC", "/a-._~!$&'()*+,;=:@b/%C3%BC"],
    ['/v1/pets/"<>\\^`{|}', '/v1/pets/%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ['/\u00c3\u00bc', '/%C3%BC'],
    ['/100%/%zz/%4', '/100%25/%25zz/%254'],
    ['/a[1]', '/a%5B1%5D'],
    ['//evil.example/v1/pets', '/.//evil.example/v1/pets'],
    ['*', '*'],
  ])('is a URI reference: %s is %s', (path, reference) => {
    expect(uriReference(path)).toBe(reference);
    expect(new URL(reference, 'http://here.example/').host).toBe('here.example');
  });
});
