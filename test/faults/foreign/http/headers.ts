import { cases, get, type HttpCase, KEY, post, PET, LENGTH } from './http-case.js';

const REFUSED = '400 closed';
const characters = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));

/** RFC 9110 section 5.6.2: the characters allowed in a header name. */
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]/;
const inNames = characters(0x00, 0xff).filter((mark) => mark !== ':' && mark !== '\n' && !TOKEN.test(mark));
const tokenMarks = characters(0x21, 0x7e).filter((mark) => TOKEN.test(mark));
const controls = [...characters(0x00, 0x08), ...characters(0x0b, 0x0c), ...characters(0x0e, 0x1f), '\u007f'];

/** Header names, values and lines. */
export const HEADERS: readonly HttpCase[] = [
  ...cases(
    '9112 5: no header line',
    REFUSED,
    ['X', 'X\r\nY: z', ': y', ':', ' : y', '=', 'X Y', 'GET /livez HTTP/1.1'].map((text) =>
      get(`${text}\r\n`),
    ),
  ),
  ...cases(
    '9112 5.1: a blank before the colon',
    REFUSED,
    // prettier-ignore
    [
      'X : y', 'X\t: y', 'X  :y', 'Content-Length : 0', 'Transfer-Encoding : chunked',
      'Transfer-Encoding\t: chunked', 'Host : b',
    ].map((text) => get(`${text}\r\n`)),
  ),
  ...cases(
    '9112 5.1: blanks around the value',
    '200 open',
    ['X:y', 'X: y', 'X:   y', 'X:\ty', 'X: y ', 'X: y\t ', 'X:', 'X: ', 'X:\t'].map((text) =>
      get(`${text}\r\n`),
    ),
  ),
  ...cases('9112 5.2: a folded line', REFUSED, [
    get('X: y\r\n z\r\n'),
    get('X: y\r\n\tz\r\n'),
    get('X:\r\n y\r\n'),
    get('X: y\r\n \r\n'),
    get(' X: y\r\n'),
    get('Content-Length:\r\n 0\r\n'),
    get('Transfer-Encoding:\r\n chunked\r\n'),
  ]),
  ...cases(
    '9110 5.1: names of headers',
    REFUSED,
    inNames.map((mark) => get(`X${mark}Y: z\r\n`)),
  ),
  ...cases(
    '9110 5.1: names of headers',
    '200 open',
    tokenMarks.map((mark) => get(`X${mark}Y: z\r\n`)),
  ),
  ...cases('9110 5.1: case does not matter', '200 open', [
    `GET /v1/pets HTTP/1.1\r\nhOsT: a\r\n${KEY.replace('Authorization', 'aUTHORIZATION')}\r\n`,
  ]),
  ...cases('9110 5.3: lines of one list', '200 open', [
    get('Accept: a/b\r\nAccept: c/d\r\n'),
    get('Cache-Control: no-cache\r\nCache-Control: max-age=0\r\n'),
  ]),
  ...cases('9110 5.4: too many headers, or too large ones', '431 closed', [
    get('X: y\r\n'.repeat(101)),
    get('X: y\r\n'.repeat(2_000)),
    get(`X: ${'y'.repeat(17_000)}\r\n`),
    get(`${'X'.repeat(17_000)}: y\r\n`),
  ]),
  ...cases(
    '9110 5.5: control characters in values',
    REFUSED,
    controls.flatMap((mark) => [get(`X: a${mark}b\r\n`), get(`X: ${mark}\r\n`)]),
  ),
  ...cases(
    '9110 5.5: other bytes in values',
    '200 open',
    [...characters(0x80, 0xff), '\t', ' ', '"', '\\', ',', ';', '(', '<'].map((mark) =>
      get(`X: a${mark}b\r\n`),
    ),
  ),
  ...cases('9110 5.6.1: lists with empty items', '200 open', [
    get(', Accept: a/b\r\n'.slice(2)),
    get('Accept: , a/b, ,\r\n'),
    get('Connection: , keep-alive,\r\n'),
    get('TE: ,\r\n'),
  ]),
  ...cases(
    '9110 6.6.1: Date is an IMF-fixdate',
    '(200 open|404 open|400 closed)',
    [get(), get('', '/nowhere'), get('X'), 'nonsense\r\n\r\n'],
    {
      has: /\r\ndate: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/i,
    },
  ),
  ...cases(
    '9110 7.6.1: Connection',
    '200 open',
    ['keep-alive', 'Keep-Alive', 'X', 'TE', '"close"', 'closed', 'Host', 'Authorization'].map((text) =>
      get(`Connection: ${text}\r\n`),
    ),
  ),
  ...cases(
    '9110 7.8: an upgrade that we do not make',
    '200 open',
    [
      get('Connection: Upgrade\r\nUpgrade: h2c\r\n'),
      get(
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n',
      ),
      get(
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
      ),
      get('Upgrade: TLS/1.2\r\nConnection: upgrade\r\n'),
      get('Upgrade: h2c\r\n'),
      get('Connection: Upgrade\r\nUpgrade:\r\n'),
    ],
    { lacks: /^HTTP\/1\.1 101/ },
  ),
  ...cases('9110 10.1.1: 100-continue', '100 201 open', [
    post(`Expect: 100-continue\r\n${LENGTH}`),
    post(`Expect: 100-Continue\r\n${LENGTH}`),
    post(`expect: 100-CONTINUE\r\n${LENGTH}`),
    post('Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n', `1b\r\n${PET}\r\n0\r\n\r\n`),
  ]),
  ...cases(
    '9110 10.1.1: nothing is invited that is refused',
    '(401|413|415|404|405) .*',
    [
      post(`Expect: 100-continue\r\n${LENGTH}`).replace('Bearer ', 'Bearer no'),
      post(`Expect: 100-continue\r\n${LENGTH}`).replace('/json', '/xml'),
      post('Expect: 100-continue\r\nContent-Length: 99999999\r\n', ''),
      get(`Expect: 100-continue\r\n${LENGTH}`, '/nowhere', 'POST') + PET,
      get(`Expect: 100-continue\r\n${LENGTH}`, '/v1/pets', 'PUT') + PET,
    ],
    { lacks: /^HTTP\/1\.1 100/ },
  ),
  ...cases('9110 10.1.1: HTTP/1.0 knows no 100', '201 closed', [
    post(`Expect: 100-continue\r\n${LENGTH}`).replace('HTTP/1.1', 'HTTP/1.0'),
  ]),
  ...cases('9110 10.1.1: other expectations', '200 open', [
    get('Expect: miracles\r\n'),
    get('Expect:\r\n'),
    get('Expect: 100\r\n'),
  ]),
];
