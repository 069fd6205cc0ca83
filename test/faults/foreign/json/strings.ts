import { cases, type JsonCase, jsonCase, named } from './json-case.js';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const hex = (code: number) => code.toString(16).padStart(4, '0');
const escaped = (code: number) => String.raw`\u${hex(code)}`;
const quoted = (text: string) => named(`"a${text}z"`);

/** RFC 8259 section 7: what may follow a backslash. CONTROL_ESCAPES make control characters, which no name may have. */
const CONTROL_ESCAPES = 'bfnrt';
const TEXT_ESCAPES = '"\\/';

const escapes = range(0x00, 0x7f)
  .map((code) => String.fromCharCode(code))
  .filter((mark) => mark !== 'u')
  .map((mark) => {
    if (TEXT_ESCAPES.includes(mark)) return jsonCase('strings: escapes', quoted(`\\${mark}`), 'stored');
    const outcome = CONTROL_ESCAPES.includes(mark) ? 'validation_failed' : 'invalid_json';
    return jsonCase('strings: escapes', quoted(`\\${mark}`), outcome);
  });

const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0);
const unicodeEscapes = range(0x00, 0xff).map((code) =>
  jsonCase('strings: \\u', quoted(escaped(code)), isControl(code) ? 'validation_failed' : 'stored'),
);
/** Unescaped, C0 is malformed JSON; DEL and C1 are valid JSON, but not valid in a name. */
const rawControls = range(0x00, 0x9f)
  .filter(isControl)
  .map((code) => {
    const outcome = code < 0x20 ? 'invalid_json' : 'validation_failed';
    return jsonCase('strings: raw control characters', quoted(String.fromCharCode(code)), outcome);
  });

// prettier-ignore
const BROKEN_ESCAPES = [
  '\\', '\\u', '\\u0', '\\u00', '\\u006', '\\u006g', '\\u00G1', '\\u-061', '\\u+061', '\\u 061', '\\u0x61',
  '\\U00000061', '\\U0061', '\\u{61}', '\\x61', '\\141', '\\0', '\\a', '\\v', '\\e', '\\\n', '\\\0', '\\é',
  '\\🐶', '\\uD83D\\u', '\\uD83D\\uD', '\\uD83D\\uDC3', '\\uD83D\\uDC3G', '\\u00６１', '&amp;\\', '\\u\x00061',
];

/** Lone surrogates match the JSON grammar, but are not text (RFC 8259 section 8.2): the rule for names refuses them. */
// prettier-ignore
const LONE_SURROGATES = [
  '\\ud800', '\\uDBFF', '\\udc00', '\\uDFFF', '\\ud83d', '\\udc36', '\\udc36\\ud83d', '\\ud83d\\ud83d',
  '\\ud83d\\ud83d\\udc36', '\\ud83d\\udc36\\udc36', '\\ud83d \\udc36', '\\ud83dx', '\\ud83d\\u0041',
  '\\ud83d\\\\udc36', '\\ud83d\\n', '\\ud800🐶', '🐶\\udc36', '\\uDADA', '\\uD888\\u1234', '\\uDd1ea',
  '\\uD800\\uD800\\n',
];

// prettier-ignore
const GOOD = [
  '\\ud83d\\udc36', '\\uD83D\\uDC36', '\\uD83d\\uDc36', '\\ud800\\udc00', '\\udbff\\udfff', '🐶', '👩‍👩‍👧',
  '􏿿', '\\uFFFE', '\\uFFFF', '￿', '\\uFDD0', '🿾', '\\ufeff', '﻿', '\\u2028', '\u2028', '\u2029', '\\u200b',
  '\\u0061', '\\u006A', '\\u002f', '/', '\\/', '\\"', "'", '\\\\', '\\\\n', '\\\\u0000', '\\\\\\"', '&#x61;',
  '%61', '${a}', 'é', 'é', 'ß', 'İ', 'ı', 'ﬁ', 'ﷺ', 'שלום', 'مرحبا', 'नमस्ते', '日本語', '한국어', '‮abc', '⁦x⁩',
  '퟿', '',
];

// prettier-ignore
const QUOTES = [
  "'x'", '`x`', '“x”', '«x»', '"x', 'x"', 'x', '"x""', '""x"', '"x"y"', '"x" "y"', '"x"+"y"', '\'x"', '"x\'',
  '\\"x\\"', '"""x"""', '@"x"', 'r"x"', '"x\ny"', '"x	y"', '"x\r\ny"', '"\\', '"\\"', '"', '"x\\"', '/x/',
  '<x>', '(x)',
];

const times = (text: string, count: number) => named(`"${text.repeat(count)}"`);

/** JSON strings: escapes, surrogates, characters that need no escape, and where strings end. */
export const STRINGS: readonly JsonCase[] = [
  ...escapes,
  ...unicodeEscapes,
  ...rawControls,
  ...cases('strings: broken escapes', 'invalid_json', BROKEN_ESCAPES.map(quoted)),
  ...cases('strings: lone surrogates', 'validation_failed', LONE_SURROGATES.map(quoted)),
  ...cases('strings: good', 'stored', GOOD.map(quoted)),
  ...cases('strings: quotes', 'invalid_json', QUOTES.map(named)),
  ...['x', 'é', '日', '🐶', '\\u0078', '\\ud83d\\udc36', '\\"'].flatMap((text) => [
    jsonCase('strings: length', times(text, 255), 'stored'),
    jsonCase('strings: length', times(text, 256), 'validation_failed'),
  ]),
  ...cases('strings: length', 'validation_failed', [
    times('', 1),
    times('x', 90_000),
    times('🐶', 20_000),
    times('\\u0078', 15_000),
    times('\\\\', 45_000),
    times('\\ud83d', 15_000),
  ]),
  ...cases('strings: without an end', 'invalid_json', [
    `{"name":"${'x'.repeat(90_000)}`,
    `{"name":"${'\\\\'.repeat(45_000)}`,
  ]),
  ...cases('strings: escaped where they mean something', 'stored', [
    String.raw`{"n\u0061me":"x","categoryId":1}`,
    String.raw`{"\u006e\u0061\u006d\u0065":"x","category\u0049d":1}`,
    String.raw`{"name":"x","categoryId":1,"status":"s\u006fld"}`,
    String.raw`{"name":"x","categoryId":1,"\u0073tatus":"\u0070\u0065\u006e\u0064\u0069\u006e\u0067"}`,
  ]),
  ...cases('strings: no word of the list', 'validation_failed', [
    '{"name":"x","categoryId":1,"status":"Sold"}',
    '{"name":"x","categoryId":1,"status":"sold "}',
    '{"name":"x","categoryId":1,"status":""}',
    String.raw`{"name":"x","categoryId":1,"status":"sold\u0000"}`,
    '{"name":"x","categoryId":1,"status":"ｓold"}',
    '{"name":"x","categoryId":1,"status":"so\u200bld"}',
  ]),
];
