import { gzipSync } from 'node:zlib';
import { SECRET } from '../load/caller.js';

const bomb = gzipSync(Buffer.alloc(20_000_000));

interface Malformed {
  readonly what: string;
  readonly body: Buffer;
  readonly encoding?: string;
}

const text = (what: string, body: string): Malformed => ({ what, body: Buffer.from(body) });

/** Bodies that are not valid JSON, or too expensive to decompress or traverse. */
export const BODIES: readonly Malformed[] = [
  text('arrays, 45,000 deep', '['.repeat(45_000) + ']'.repeat(45_000)),
  text('arrays, 90,000 deep, left open', '['.repeat(90_000)),
  text('objects, 15,000 deep', '{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000)),
  text('a number of 90,000 digits', `{"name":"x","categoryId":${'9'.repeat(90_000)}}`),
  text('a monstrous exponent', '{"name":"x","categoryId":1e999999999}'),
  text('90,000 names', `{${Array.from({ length: 9_000 }, (_, i) => `"n${i}":1`).join(',')}}`),
  text('a name twice', '{"name":"x","name":"y","categoryId":1}'),
  text('__proto__', '{"__proto__":{"status":"sold"},"name":"x","categoryId":1}'),
  text('a lone surrogate', String.raw`{"name":"\ud800","categoryId":1}`),
  text('a byte order mark', '\ufeff{"name":"x","categoryId":1}'),
  text('nothing but blanks', ' '.repeat(90_000)),
  text('a string without end', `{"name":"${'x'.repeat(90_000)}`),
  text('too much', `{"name":"${'x'.repeat(200_000)}"}`),
  text('something behind', '{"name":"x","categoryId":1}}'),
  { what: 'no UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
  { what: 'UTF-8 that is longer than needed', body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) },
  { what: 'UTF-16', body: Buffer.from('{"name":"x","categoryId":1}', 'utf16le') },
  { what: 'a gzip bomb', body: bomb, encoding: 'gzip' },
  { what: 'a gzip bomb in another one', body: gzipSync(bomb), encoding: 'gzip' },
  { what: 'half of a gzip', body: bomb.subarray(0, 500), encoding: 'gzip' },
  { what: 'no gzip', body: Buffer.from('{"name":"x","categoryId":1}'), encoding: 'gzip' },
];

const KEY = `Authorization: Bearer ${SECRET}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
/** Hidden after or inside each request; a service that responds to it has misjudged where the first request ends. */
const HIDDEN = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}${JSON_TYPE}${headers}\r\n${body}`;

/** Malformed HTTP/1.1. Each is rejected and closes its connection, so the bytes that follow are never read as a request. */
export const MESSAGES: Readonly<Record<string, string>> = {
  'two hosts': `GET /v1/pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n${KEY}\r\n${HIDDEN}`,
  'no host': `GET /v1/pets HTTP/1.1\r\n${KEY}\r\n${HIDDEN}`,
  'a length and chunks': post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${HIDDEN}`),
  'chunks and a length': post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${HIDDEN}`),
  'two lengths': post('Content-Length: 2\r\nContent-Length: 60\r\n', `{}${HIDDEN}`),
  'two lengths in one': post('Content-Length: 2, 60\r\n', `{}${HIDDEN}`),
  'a negative length': post('Content-Length: -1\r\n', HIDDEN),
  'a length with a sign': post('Content-Length: +2\r\n', `{}${HIDDEN}`),
  'a length in hexadecimal': post('Content-Length: 0x2\r\n', `{}${HIDDEN}`),
  'an unknown coding': post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${HIDDEN}`),
  'chunks that are not last': post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${HIDDEN}`),
  'a blank before the colon': post('Transfer-Encoding : chunked\r\nContent-Length: 2\r\n', `{}${HIDDEN}`),
  'a folded header': post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n', `{}${HIDDEN}`),
  'a chunk without a size': post('Transfer-Encoding: chunked\r\n', `x\r\n{}\r\n0\r\n\r\n${HIDDEN}`),
  'a chunk of monstrous size': post('Transfer-Encoding: chunked\r\n', `FFFFFFFFFFFFFFFFF\r\n{}\r\n${HIDDEN}`),
  'a chunk longer than its size': post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n${HIDDEN}`),
  'a NUL in a header': `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n${KEY}\r\n${HIDDEN}`,
  'a bare CR in a header': `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: a\rGET /livez HTTP/1.1\r\n\r\n${HIDDEN}`,
  'a blank in the address': `GET /v1/pets 7 HTTP/1.1\r\nHost: a\r\n\r\n${HIDDEN}`,
  'an unknown method': `STEAL /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n${HIDDEN}`,
  'an unknown version': `GET /v1/pets HTTP/9.9\r\nHost: a\r\n\r\n${HIDDEN}`,
  'the beginning of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`,
  'the beginning of TLS': `\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n${HIDDEN}`,
  'no end of headers': `GET /v1/pets HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(4_000)}\r\n${HIDDEN}`,
  'an address without end': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n${HIDDEN}`,
};
