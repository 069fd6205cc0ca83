import { cases, chunked, CHUNKS, type HttpCase, PET } from './http-case.js';

const REFUSED = '400 closed';
const hex = PET.length.toString(16);
/** One chunk with this size line, and the last chunk. */
const oneChunk = (line: string) => chunked(`${line}\r\n${PET}\r\n0\r\n\r\n`);
const withTrailer = (trailer: string) => chunked(`${hex}\r\n${PET}\r\n0\r\n${trailer}\r\n`);

/** The chunks themselves: sizes, extensions, trailers. */
export const CHUNKED: readonly HttpCase[] = [
  ...cases('9112 7.1: chunks', '201 open', [
    chunked(CHUNKS),
    chunked([...PET].map((mark) => `1\r\n${mark}\r\n`).join('') + '0\r\n\r\n'),
    chunked(`0000${hex}\r\n${PET}\r\n00000\r\n\r\n`),
    chunked(`a\r\n${PET.slice(0, 10)}\r\n11\r\n${PET.slice(10)}\r\n0\r\n\r\n`),
    chunked(`A\r\n${PET.slice(0, 10)}\r\n11\r\n${PET.slice(10)}\r\n0\r\n\r\n`),
  ]),
  ...cases(
    '9112 7.1: no size of a chunk',
    REFUSED,
    // prettier-ignore
    [
      '', ' ', 'x', '-1b', '+1b', `0x${hex}`, `0X${hex}`, `${hex}h`, `${hex}\u0000`, `\u00a0${hex}`,
      `${hex},`, `${hex}:`, `g${hex}`, '1.b', '"1b"',
      '١'.slice(1),
      'FFFFFFFFFFFFFFFFF',
      '10000000000000000',
      `1000000000000000${hex}`,
      `${hex}\r`,
      `\r${hex}`,
      `${hex} 1`,
    ].map(oneChunk),
  ),
  ...cases('9112 7.1: a size with blanks, which nobody has to take', '(400 closed|201 open)', [
    oneChunk(` ${hex}`),
    oneChunk(`${hex} `),
    oneChunk(`${hex}\t`),
  ]),
  ...cases('9112 7.1: a chunk without its end', REFUSED, [
    chunked(`${hex}\r\n${PET}0\r\n\r\n`),
    chunked(`${hex}\r\n${PET}xx0\r\n\r\n`),
    chunked(`1\r\n${PET}\r\n0\r\n\r\n`),
    chunked(`1a\r\n${PET}\r\n0\r\n\r\n`),
    chunked(`${hex}\n${PET}\r\n0\r\n\r\n`),
    chunked(`${hex}\r\n${PET}\n0\r\n\r\n`),
    chunked(`${hex}\r\n${PET}\r0\r\n\r\n`),
    chunked(`${hex}\r\n${PET}\r\n0\n\n`),
    chunked(`${hex}\r\n${PET}\r\n\r\n`),
  ]),
  ...cases('9112 7.1.1: extensions are passed over', '201 open', [
    // prettier-ignore
    ...[
      ';', ';a', ';a=b', ';a="b"', ';a="b;c"', ';a;b=c', `;${'a'.repeat(1_000)}`, ';a="\\""', ';chunked=1',
      ';a=0',
    ]
      .slice(1)
      .map((text) => oneChunk(hex + text)),
    chunked(`${hex}\r\n${PET}\r\n0;a=b\r\n\r\n`),
  ]),
  ...cases('9112 7.1.1: no extension', '(400|413) closed', [
    oneChunk(`${hex};a\nb`),
    oneChunk(`${hex};a\rb`),
    oneChunk(`${hex};a\u0000`),
    oneChunk(`${hex};${'a'.repeat(20_000)}`),
  ]),
  ...cases('9112 7.1.2: trailers are passed over', '201 open', [
    withTrailer('X: y\r\n'),
    withTrailer('X: y\r\nZ:\r\n'),
    withTrailer('Content-Type: text/plain\r\n'),
    withTrailer('Authorization: Bearer x\r\n'),
    withTrailer('Host: b\r\n'),
    withTrailer('Content-Encoding: gzip\r\n'),
  ]),
  ...cases('9112 7.1.2: trailers that frame, which nobody has to take', '(400 closed|201 open)', [
    withTrailer('Content-Length: 5\r\n'),
    withTrailer('Transfer-Encoding: chunked\r\n'),
    withTrailer('Transfer-Encoding: x\r\n'),
  ]),
  ...cases('9112 7.1.2: no trailer', '(400|431) closed', [
    withTrailer('X\r\n'),
    withTrailer('X : y\r\n'),
    withTrailer(' X: y\r\n'),
    withTrailer('X: \u0000\r\n'),
    withTrailer(': y\r\n'),
    withTrailer(`X: ${'y'.repeat(20_000)}\r\n`),
  ]),
];
