import { cases, type JsonCase, jsonCase, MEMBERS, named } from './json-case.js';

const GOOD = `{${MEMBERS}}`;
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** RFC 3629 section 3: invalid UTF-8. Bytes that never occur, incomplete sequences, overlong sequences, surrogates. */
// prettier-ignore
const NO_UTF8 = [
  '80', 'bf', '80 80', 'c0', 'c1', 'f5', 'f8', 'fc', 'fe', 'ff', 'fe ff', 'ff fe', 'f8 88 80 80 80',
  'fc 84 80 80 80 80', 'c3', 'c3 28', 'c3 c3', 'e2', 'e2 82', 'e2 28 a1', 'e2 82 28', 'f0', 'f0 9f',
  'f0 9f 90', 'f0 28 8c bc', 'f0 9f 28 bc', 'f0 9f 90 28', 'c0 80', 'c0 af', 'c1 bf', 'e0 80 80', 'e0 80 af',
  'e0 9f bf', 'f0 80 80 80', 'f0 80 80 af', 'f0 8f bf bf', 'c0 a2', 'c1 9c', 'ed a0 80', 'ed ad bf',
  'ed ae 80', 'ed af bf', 'ed b0 80', 'ed be 80', 'ed bf bf', 'ed a0 bd ed b0 b6', 'ed b0 b6 ed a0 bd',
  'f4 90 80 80', 'f4 bf bf bf', 'f5 80 80 80', 'f7 bf bf bf', 'e9', 'fc 72', '81 40', 'a4 a2', '93 fa',
  'e4 f6 fc', 'c3 a9 80', 'e2 82 ac 80',
];
// prettier-ignore
const UTF8 = [
  'c2 a0 61', 'df bf', 'e0 a0 80', 'ed 9f bf', 'ee 80 80', 'ef bf bd', 'ef bf bf', 'f0 90 80 80',
  'f4 8f bf bf',
];

const inName = (hex: string) => named(Buffer.concat([Buffer.from('"a'), bytes(hex), Buffer.from('"')]));
const inKey = (hex: string) => Buffer.concat([Buffer.from(`{${MEMBERS},"`), bytes(hex), Buffer.from('":1}')]);
const behind = (hex: string) => Buffer.concat([Buffer.from(GOOD), bytes(hex)]);
const before = (hex: string) => Buffer.concat([bytes(hex), Buffer.from(GOOD)]);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const utf32 = (text: string) =>
  Buffer.concat([...text].map((mark) => Buffer.from([mark.charCodeAt(0), 0, 0, 0])));

const OTHER_ENCODINGS = [
  Buffer.from(GOOD, 'utf16le'),
  swapped(GOOD),
  Buffer.from(`\ufeff${GOOD}`, 'utf16le'),
  swapped(`\ufeff${GOOD}`),
  utf32(GOOD),
  utf32(GOOD).swap32(),
  Buffer.from('+AHsAIg-', 'latin1'),
  Buffer.from(GOOD, 'base64'),
  Buffer.from(Buffer.from(GOOD).toString('base64')),
  Buffer.from(encodeURIComponent(GOOD)),
  bytes('1f 8b 08 00'),
  bytes('a2 64 6e 61 6d 65'),
  bytes('82 a4 6e 61 6d 65'),
];

/** RFC 8259 section 2: only these four characters are whitespace. */
const BLANKS = [' ', '\t', '\n', '\r', '\r\n', ' \t\n\r ', ' '.repeat(5_000)];
const NO_BLANKS =
  '\u000b\f\u0000\b\u001c\u001f\u007f\u0085\u00a0\u1680\u180e\u2000\u2003\u200b\u200c\u2028\u2029\u202f\u205f\u2060\u3000\ufeff';
/** A valid body as tokens; `atEachGap` inserts a text between them, and at both ends. */
// prettier-ignore
const TOKENS = [
  '{', '"name"', ':', '"x"', ',', '"categoryId"', ':', '1', ',', '"status"', ':', '"sold"', '}',
];
const atEachGap = (blank: string) =>
  Array.from({ length: TOKENS.length + 1 }, (_, gap) => TOKENS.toSpliced(gap, 0, blank).join(''));

/** Character encodings, and whitespace between tokens. */
export const ENCODINGS: readonly JsonCase[] = [
  ...NO_UTF8.flatMap((hex) =>
    cases('encodings: no UTF-8', 'invalid_json', [inName(hex), inKey(hex), behind(hex), before(hex)]),
  ),
  ...cases('encodings: UTF-8', 'stored', UTF8.map(inName)),
  ...cases('encodings: UTF-8 outside of strings', 'invalid_json', [...UTF8.map(behind), ...UTF8.map(before)]),
  ...cases('encodings: others', 'invalid_json', OTHER_ENCODINGS),
  ...cases('encodings: byte order marks', 'invalid_json', [
    before('ef bb bf'),
    behind('ef bb bf'),
    before('ef bb bf ef bb bf'),
    bytes('ef bb bf'),
  ]),
  ...cases('encodings: byte order marks', 'invalid_json', [
    before('fe ff'),
    before('ff fe'),
    before('00 00 fe ff'),
    before('ef bb'),
    before('0e fe ff'),
  ]),
  ...cases('whitespace: nothing else', 'invalid_json', [
    '',
    ...BLANKS,
    ' '.repeat(90_000),
    '\n'.repeat(90_000),
  ]),
  ...BLANKS.flatMap((blank) => cases('whitespace: good', 'stored', atEachGap(blank))),
  ...[...NO_BLANKS].flatMap((blank) => cases('whitespace: none', 'invalid_json', atEachGap(blank))),
  jsonCase('whitespace: everywhere', TOKENS.join('\r\n\t '), 'stored'),
  ...['\\n', '\\t', '\\r', '&nbsp;', '%20', '+', '\\u0020'].flatMap((text) =>
    cases('whitespace: none', 'invalid_json', atEachGap(text)),
  ),
];
