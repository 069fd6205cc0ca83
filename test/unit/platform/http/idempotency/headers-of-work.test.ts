import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { HeadersOfWork, restoreHeaders } from '../../../../support/rooms/http.js';

type Headers = Readonly<Record<string, string | number | string[]>>;

function set(response: ServerResponse, headers: Headers): ServerResponse {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return response;
}
const responseWith = (headers: Headers) =>
  set(new ServerResponse(new IncomingMessage(new Socket())), headers);

describe('the headers that a handler sets', () => {
  it.each<[string, Headers, Headers, object]>([
    ['none', { Stability: 'experimental' }, {}, {}],
    ['a new header', {}, { ETag: '"1"' }, { Etag: '"1"' }],
    ['a header that is set to its old value', { 'X-Own': 'a' }, { 'x-own': 'a' }, {}],
    ['a changed header', { 'X-Own': 'a' }, { 'X-Own': 'b' }, { 'X-Own': 'b' }],
    ['a number', {}, { 'X-Count': 7 }, { 'X-Count': '7' }],
    ['several values', {}, { 'X-Own': ['a', 'b'] }, { 'X-Own': ['a', 'b'] }],
    ['links with some from before', { Link: 'a' }, { Link: ['a', 'b'] }, { Link: ['a', 'b'] }],
    ['a cookie', {}, { 'Set-Cookie': 'a=1' }, { 'Set-Cookie': ['a=1'] }],
    [
      'another cookie',
      { 'Set-Cookie': ['a=1'] },
      { 'Set-Cookie': ['a=1', 'b=2'] },
      { 'Set-Cookie': ['b=2'] },
    ],
    ['a cookie again', { 'Set-Cookie': 'a=1' }, { 'Set-Cookie': ['a=1', 'a=1'] }, {}],
    ['no other reason to vary', { Vary: 'Origin' }, { Vary: ['Origin'] }, {}],
    [
      'a reason to vary',
      { Vary: 'Origin' },
      { Vary: 'Origin, Accept-Language' },
      { Vary: 'Accept-Language' },
    ],
    [
      'what belongs to the exchange',
      { 'Access-Control-Allow-Origin': '*', RateLimit: '"key";r=2;t=1' },
      {
        'Access-Control-Allow-Origin': 'https://a.example',
        'access-control-expose-headers': 'X-Own',
        RateLimit: '"key";r=1;t=1',
        'RateLimit-Policy': '"key";q=2;w=1',
        'X-Request-Id': 'one',
        traceparent: '00-1-2-01',
        Date: 'now',
        Connection: 'close',
        'Keep-Alive': 'timeout=5',
        'Content-Length': 2,
        'Transfer-Encoding': 'chunked',
      },
      {},
    ],
  ])('are separated from earlier headers, and restored: %s', (_, before, during, added) => {
    const response = responseWith(before);
    const headers = new HeadersOfWork(response);
    set(response, during);
    expect(headers.added()).toEqual(added);

    const replayed = responseWith(before);
    restoreHeaders(replayed, headers.added());
    for (const name of Object.keys(added))
      expect([replayed.getHeader(name)].flat().join(', ')).toBe([response.getHeader(name)].flat().join(', '));
  });

  it('are removed, and no others', () => {
    const before = { Link: 'a', Vary: 'Origin', 'Set-Cookie': ['a=1'], 'X-Own': 'a' };
    const response = responseWith(before);
    const headers = new HeadersOfWork(response);
    set(response, { Link: 'b', Vary: 'Origin, Accept', ETag: '"1"', Connection: 'close' });
    response.appendHeader('Set-Cookie', 'b=2');
    headers.takeBack();
    expect({ ...response.getHeaders() }).toEqual({
      link: 'a',
      vary: 'Origin',
      'set-cookie': ['a=1'],
      'x-own': 'a',
      connection: 'close',
    });
  });
});
