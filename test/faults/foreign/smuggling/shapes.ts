import { SECRET } from '../../support/load/caller.js';

/**
 * A message whose end two parsers may see in different places. `hidden` is what one of them would take for the next request.
 * With `isWhole`, the service may answer it as one valid request; any other it refuses, and closes the connection.
 */
export interface Shape {
  readonly name: string;
  readonly message: (hidden: string) => string;
  readonly isWhole?: boolean;
}

const START = (target = '/v1/pets', version = 'HTTP/1.1') => `POST ${target} ${version}\r\nHost: a\r\n`;
const HEADERS = `Authorization: Bearer ${SECRET}\r\nContent-Type: application/json\r\n`;

/** A message with both a Content-Length that ends it before or after the hidden part, and chunks that end it elsewhere. */
const clTe =
  (coding: string, start = START()) =>
  (hidden: string) =>
    `${start}${HEADERS}Content-Length: ${5 + hidden.length}\r\n${coding}\r\n\r\n0\r\n\r\n${hidden}`;
const teCl = (coding: string) => (hidden: string) => {
  const size = hidden.length.toString(16);
  return `${START()}${HEADERS}${coding}\r\nContent-Length: ${size.length + 2}\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`;
};
const onlyTe = (coding: string) => (hidden: string) =>
  `${START()}${HEADERS}${coding}\r\n\r\n0\r\n\r\n${hidden}`;
const lengths = (lines: string) => (hidden: string) =>
  `${START()}${HEADERS}${lines.replace('ALL', String(hidden.length))}\r\n\r\n${hidden}`;
const chunks = (text: string) => (hidden: string) =>
  `${START()}${HEADERS}Transfer-Encoding: chunked\r\n\r\n${text.replace('HIDDEN', hidden).replace('SIZE', hidden.length.toString(16))}`;
const headers = (lines: string) => (hidden: string) =>
  `GET /livez HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n${hidden}`;

/** Spellings of Transfer-Encoding that one parser accepts and another ignores. */
const OBFUSCATIONS: Readonly<Record<string, string>> = {
  'a blank before the colon': 'Transfer-Encoding : chunked',
  'a tab before the colon': 'Transfer-Encoding\t: chunked',
  'a blank before the name': ' Transfer-Encoding: chunked',
  'a folded value': 'Transfer-Encoding:\r\n chunked',
  'folded behind another header': 'X: y\r\n Transfer-Encoding: chunked',
  xchunked: 'Transfer-Encoding: xchunked',
  'chunked with a tail': 'Transfer-Encoding: chunkedx',
  'a vertical tab': 'Transfer-Encoding: \u000bchunked',
  'a form feed': 'Transfer-Encoding:\fchunked',
  'a NUL': 'Transfer-Encoding: chunked\u0000',
  'a no-break space': 'Transfer-Encoding: \u00a0chunked',
  quotes: 'Transfer-Encoding: "chunked"',
  'a parameter': 'Transfer-Encoding: chunked;q=1',
  'an empty item': 'Transfer-Encoding: ,chunked',
  'identity behind it': 'Transfer-Encoding: chunked, identity',
  'identity before it': 'Transfer-Encoding: identity, chunked',
  'twice in a line': 'Transfer-Encoding: chunked, chunked',
  'twice in two lines': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'the other order': 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'an underscore': 'Transfer_Encoding: chunked',
  'a bare CR': 'X: y\rTransfer-Encoding: chunked',
  'a bare LF': 'X: y\nTransfer-Encoding: chunked',
  'CR CR LF': 'Transfer-Encoding: chunked\r',
  'a NUL in the name': 'Transfer-Encoding\u0000: chunked',
  'a soft hyphen in the name': 'Transfer\u00ad-Encoding: chunked',
  'an empty value': 'Transfer-Encoding:',
  'upper case': 'TRANSFER-ENCODING: CHUNKED',
  'another alphabet': 'Transfer-Encoding: chun\u212aed'.replace('\u212a', '\u00e2\u0084\u00aa'),
  'a line without a colon': 'Transfer-Encoding chunked',
  'named by Connection': 'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
};

/** Those that define the end clearly, or not at all: what follows them is the next request for every parser. */
const PLAIN = ['upper case', 'named by Connection', 'an underscore'];

const obfuscated = Object.entries(OBFUSCATIONS).flatMap(([name, coding]): Shape[] => [
  { name: `CL.TE, ${name}`, message: clTe(coding), isWhole: name === 'an underscore' },
  ...(name === 'an underscore' ? [] : [{ name: `TE.CL, ${name}`, message: teCl(coding) }]),
  ...(PLAIN.includes(name) ? [] : [{ name: `TE alone, ${name}`, message: onlyTe(coding) }]),
]);

// prettier-ignore
const LENGTHS: readonly Shape[] = [
  'Content-Length: 0\r\nContent-Length: ALL', 'Content-Length: ALL\r\nContent-Length: 0',
  'Content-Length: 0, ALL', 'Content-Length: ALL, 0', 'Content-Length: +ALL', 'Content-Length: -ALL',
  'Content-Length: 0xALL', 'Content-Length: ALL.0', 'Content-Length: ALL\u000b', 'Content-Length: 0 ALL',
  'Content-Length : ALL', 'Content-Length\t: ALL', ' Content-Length: ALL', 'Content-Length:\r\n ALL',
  'X: y\rContent-Length: ALL', 'Content-Length: 18446744073709551616', 'Content-Length: \u00b2',
  'Content-Length: ""', 'Content-Length:',
].map((lines) => ({ name: `lengths: ${JSON.stringify(lines)}`, message: lengths(lines) }));

const CHUNKS: readonly Shape[] = [
  ['a size in hexadecimal of C', '0xSIZE\r\nHIDDEN\r\n0\r\n\r\n'],
  ['a size with a sign', '-1\r\nHIDDEN\r\n0\r\n\r\n'],
  ['a size that overflows', '100000000SIZE0000000000000\r\nHIDDEN\r\n0\r\n\r\n'],
  ['an end of line of LF', '0\n\nHIDDEN'],
  ['an end of line of LF behind a chunk', '2\r\n{}\n0\r\n\r\nHIDDEN'],
  ['an end of line of CR', '0\r\rHIDDEN'],
  ['an extension with LF', '2;x\nSIZE\r\n{}\r\n0\r\n\r\nHIDDEN'],
  ['an extension with CR', '2;x\rSIZE\r\n{}\r\n0\r\n\r\nHIDDEN'],
  ['a chunk longer than its size', '1\r\n{}\r\n0\r\n\r\nHIDDEN'],
  ['two bytes that are no end', '2\r\n{}XX0\r\n\r\nHIDDEN'],
  ['no size at all', '\r\n{}\r\n0\r\n\r\nHIDDEN'],
  ['a trailer without a colon', '0\r\nHIDDEN'],
  ['a trailer with a blank', '0\r\nX : y\r\n\r\nHIDDEN'],
  ['a folded trailer', '0\r\n X: y\r\n\r\nHIDDEN'],
].map(([name, text]) => ({ name: `chunks: ${name}`, message: chunks(text!) }));

const LINES: readonly Shape[] = [
  ['a second Host', 'Host: b'],
  ['a blank before the first colon', 'X : y'],
  ['a blank in a name', 'X Y: z'],
  ['a folded line', 'X: y\r\n Host: b'],
  ['a header of a bare CR', 'X: y\rHost: b'],
  ['a header of a bare LF', 'X: y\nHost: b: c\n'],
  ['a NUL', 'X: \u0000'],
  ['an empty name', ': y'],
].map(([name, text]) => ({ name: `lines: ${name}`, message: headers(text!) }));

const GET = 'GET /livez HTTP/1.1\r\nHost: a\r\n';
const SOCKET = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** Valid messages whose body is the hidden part: a parser that does not skip the body takes it for the next request. */
const WHOLE: readonly Shape[] = [
  ['where none is wanted', GET],
  ['of HEAD', GET.replace('GET', 'HEAD')],
  ['of OPTIONS', GET.replace('GET /livez', 'OPTIONS /v1/pets')],
  ['of what is not there', START('/nowhere')],
  ['without a key', START()],
  ['of another type', START() + HEADERS.replace('json', 'xml')],
  ['that is no JSON', START() + HEADERS],
  ['that is expected', `${START()}${HEADERS}Expect: 100-continue\r\n`],
  ['that is expected, without a key', `${START()}Expect: 100-continue\r\n`],
  ['that is expected in another spelling', `${START()}${HEADERS}Expect: y 100-continue\r\n`],
  ['that is expected where none is wanted', `${GET}Expect: 100-continue\r\n`],
  [
    'behind an upgrade to h2c',
    `${START()}${HEADERS}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`,
  ],
  ['behind an upgrade to a socket', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n${SOCKET}`],
  ['of an absolute address with another Host', GET.replace('/livez', 'http://other.example/livez')],
  ['whose length is named by Connection', `${GET}Connection: Content-Length\r\n`],
].map(([name, head]) => ({
  name: `CL.0: a body ${name}`,
  message: (hidden) => `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  isWhole: true,
}));

const wholeChunk: Shape = {
  name: 'CL.0: a body in chunks where none is wanted',
  message: (hidden) =>
    `${GET}Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  isWhole: true,
};

const VERSIONS: readonly Shape[] = [
  { name: 'CL.TE in HTTP/1.0', message: clTe('Transfer-Encoding: chunked', START('/v1/pets', 'HTTP/1.0')) },
  {
    name: 'TE in HTTP/1.0',
    message: (hidden) =>
      onlyTe('Transfer-Encoding: chunked\r\nConnection: keep-alive')(hidden).replace('HTTP/1.1', 'HTTP/1.0'),
  },
  { name: 'a line of HTTP/0.9', message: (hidden) => `GET /livez\r\n\r\n${hidden}` },
  {
    name: 'a blank in the target',
    message: (hidden) => `GET /livez HTTP/1.1 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`,
  },
  {
    name: 'an end of line in the target',
    message: (hidden) => `GET /livez\r\nX: HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`,
  },
  {
    name: 'absolute form with a user',
    message: (hidden) => `GET http://a@b/livez HTTP/1.1\r\nHost: a b\r\n\r\n${hidden}`,
  },
  { name: 'the preface of HTTP/2', message: (hidden) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}` },
];

/** RFC 9112 section 11.2, and published cases of parsers that disagree. */
export const SHAPES: readonly Shape[] = [
  { name: 'CL.TE', message: clTe('Transfer-Encoding: chunked') },
  { name: 'TE.CL', message: teCl('Transfer-Encoding: chunked') },
  ...obfuscated,
  ...LENGTHS,
  ...CHUNKS,
  ...LINES,
  ...WHOLE,
  wholeChunk,
  ...VERSIONS,
];
