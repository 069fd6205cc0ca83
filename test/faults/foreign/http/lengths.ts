import { cases, chunked, CHUNKS, get, type HttpCase, LENGTH, PET, post } from './http-case.js';

const REFUSED = '400 closed';
const size = PET.length;
const hex = size.toString(16);
const withLength = (value: string) => post(`Content-Length: ${value}\r\n`);

/** Content-Length. */
const CONTENT_LENGTH = [
  ...cases('9112 6.2: a good length', '201 open', [
    post(LENGTH),
    withLength(`  ${size}`),
    withLength(`${size} `),

    withLength(`0${size}`),
  ]),
  ...cases('9112 6.2: nothing is an empty body', REFUSED.replace('closed', 'open'), [
    post('', ''),
    withLength('0').replace(PET, ''),
    withLength('000').replace(PET, ''),
  ]),
  ...cases(
    '9112 6.3: no length',
    REFUSED,
    // prettier-ignore
    [
      '', ' ', '-1', '-0', `+${size}`, `-${size}`, `0x${hex}`, `${size}.0`, `${size}e0`, '1e1', `${size};`, '2 7',
      `"${size}"`, `${size},`, `,${size}`, 'x', `${size}x`, `x${size}`, '²', '1_0', `${size}\u000b`, 'chunked', '0b11',
      '0o33', '18446744073709551616', '99999999999999999999', '9'.repeat(400), `${2n ** 64n + BigInt(size)}`,
    ].map(withLength),
  ),
  ...cases('9112 6.3: two lengths', REFUSED, [
    post(`${LENGTH}Content-Length: 5\r\n`),
    post(`Content-Length: 0\r\n${LENGTH}`),
    post(`${LENGTH}content-length: 0\r\n`),
    withLength(`${size}, 5`),
    withLength(`${size},5`),
    get('Content-Length: 0\r\nContent-Length: 5\r\n') + 'hello',
  ]),
  ...cases('9112 6.3: one length twice, which nobody has to take', '(400 closed|201 open)', [
    post(`${LENGTH}${LENGTH}`),
    withLength(`${size}, ${size}`),
    withLength(`${size},${size}`),
  ]),
  // prettier-ignore
  // prettier-ignore
  ...cases('9112 6.3: a body where none is wanted is read past', '200 open', [
    `${get('Content-Length: 5\r\n')}hello`,
    `${get('Content-Length: 37\r\n')}GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: y\r\n`,
    `${get('Transfer-Encoding: chunked\r\n')}5\r\nhello\r\n0\r\n\r\n`,
    `${get('Content-Length: 5\r\n', '/livez', 'HEAD')}hello`,
  ]),
  ...cases('9110 9.3.7: a body of OPTIONS is read past', '204 open', [
    `${get('Content-Length: 5\r\n', '/v1/pets', 'OPTIONS')}hello`,
  ]),
  ...cases('9110 15.5.14: too much', '413 .*', [
    post('Content-Length: 102401\r\n', 'x'.repeat(102_401)),
    post('Content-Length: 9007199254740993\r\n', ''),
  ]),
  ...cases(
    '9112 8: a request that breaks off is not done',
    '(400 )?closed',
    [
      post('Content-Length: 100\r\n'),
      chunked(`${hex}\r\n${PET}\r\n`),
      chunked(`${hex}\r\n${PET}\r\n0\r\n`),
      chunked(`${hex}\r\n${PET.slice(1)}`),
      post(LENGTH).slice(0, -1),
      'GET /livez HTTP/1.1\r\nHost: a\r\n',
      'GET /livez HTTP/1.1\r\nHost: a',
      'GET /liv',
    ],
    { halfClose: true, lacks: /^HTTP\/1\.1 2/ },
  ),
];

/** RFC 9110 section 5.6.3 allows a tab at the end of a value. Node's parser refuses it in framing headers, which is harmless. */
const TABS = [
  ...cases('9112 6.2 and 6.1: a tab at the end, which Node refuses', '(400 closed|201 open)', [
    withLength(`${size}\t`),
    chunked(CHUNKS, 'chunked\t'),
  ]),
];

/** Transfer-Encoding. */
const CODINGS = [
  ...cases(
    '9112 6.1: chunked',
    '201 open',
    ['chunked', 'Chunked', 'CHUNKED', ' chunked', '\tchunked '].map((coding) => chunked(CHUNKS, coding)),
  ),
  ...cases(
    '9112 6.1: other codings',
    '(400|501) closed',
    // prettier-ignore
    [
      'identity', 'gzip', 'deflate', 'xchunked', 'chunkedx', 'chunke', 'x', 'chunked identity',
      '"chunked"', "'chunked'", 'chunked;', 'chunked, identity', 'chunked, gzip', 'chunked, chunked',
      'chunked,chunked', 'identity, chunked, identity', 'chunked;q=1', 'chunked=1', 'chunk ed', '\vchunked',
      '\xA0chunked', 'chunked\0', 'chünked', 'chunked\xA0', '[chunked]', 'chunked, x',
    ].map((coding) => chunked(CHUNKS, coding)),
  ),
  ...cases('9112 6.1: two lines', '(400|501) closed', [
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', CHUNKS),
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNKS),
    post('Transfer-Encoding: chunked\r\ntransfer-encoding: x\r\n', CHUNKS),
  ]),
  ...cases('9112 6.1: a length beside chunks', REFUSED, [
    post(`Content-Length: ${CHUNKS.length}\r\nTransfer-Encoding: chunked\r\n`, CHUNKS),
    post(`Transfer-Encoding: chunked\r\n${LENGTH}`, CHUNKS),
    post('Transfer-Encoding: chunked\r\nContent-Length: 0\r\n', CHUNKS),
    post(`${LENGTH}Transfer-Encoding: identity\r\n`),
    post(`${LENGTH}Transfer-Encoding:\r\n`),
  ]),
  ...cases('9112 6.1: HTTP/1.0 knows no chunks', '.* ?closed', [
    chunked(CHUNKS).replace('HTTP/1.1', 'HTTP/1.0'),
  ]),
];

/** Where a message ends, by Content-Length and Transfer-Encoding. */
export const LENGTHS: readonly HttpCase[] = [...CONTENT_LENGTH, ...TABS, ...CODINGS];
