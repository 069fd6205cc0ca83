import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../../../src/platform/json/json-limits.js';
import { MalformedJson, parseJson } from '../../../../src/platform/json/parse-json.js';
import { anyText } from '../../../support/any-text.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const parseBody = (text: string) => parseJson(Buffer.from(text), BODY_LIMITS);
const escaped = (text: string) =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

describe('malformed JSON is rejected if it', () => {
  it.each(['01', '-01', '+1', '.5', '5.', '1e', '1e+', '-', '0x10', '1_000', 'NaN', 'Infinity', '-Infinity'])(
    'has a number like %s',
    (text) => expect(() => parse(text)).toThrow(MalformedJson),
  );

  it.each([
    ['nothing', ''],
    ['nothing but space', ' \n'],
    ['two values', '{} {}'],
    ['something behind the value', '{}x'],
    ['a superfluous comma in a list', '[1,]'],
    ['a superfluous comma in an object', '{"a":1,}'],
    ['a missing comma', '[1 2]'],
    ['a name without a value', '{"a"}'],
    ['a name without quotes', '{a:1}'],
    ['single quotes', "{'a':1}"],
    ['the wrong bracket', '[1}'],
    ['a comment', '{} // animals'],
    ['a word in capitals', 'TRUE'],
    ['half a word', 'nul'],
    ['a word with more letters', 'nullx'],
    ['a space that JSON does not allow', '\u00a0{}'],
    ['a byte order mark', '\ufeff{}'],
    ['an unknown escape', String.raw`"\x41"`],
    ['half an escape', String.raw`"\u12"`],
  ])('has %s', (_, text) => expect(() => parse(text)).toThrow(MalformedJson));

  it.each(Array.from({ length: 0x20 }, (_, code) => [code.toString(16).padStart(2, '0'), code] as const))(
    'has the control character 0x%s in a text, not escaped',
    (_, code) => expect(() => parse(`"Re${String.fromCharCode(code)}x"`)).toThrow(MalformedJson),
  );

  it.each([
    ['a byte that never occurs', [0xff]],
    ['a character cut off', [0xe2, 0x82]],
    ['a character spelt too long', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a letter in Latin-1', [0xfc]],
  ])('is not UTF-8: %s', (_, bytes) => {
    expect(() => parseJson(Buffer.from([0x22, ...bytes, 0x22]))).toThrow('it is not valid UTF-8');
  });
});

describe('a name that occurs twice in one object', () => {
  it.each(['a', '', 'name', 'constructor', 'toString', '🐶'])('is rejected: "%s"', (name) => {
    const text = `{${JSON.stringify(name)}:1,"other":2,${JSON.stringify(name)}:1}`;
    expect(() => parse(text)).toThrow(`it has the name ${JSON.stringify(name)} twice in one object`);
  });

  it('is rejected in any spelling', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        expect(() => parse(`{${JSON.stringify(name)}:1,"${escaped(name)}":2}`)).toThrow(MalformedJson);
      }),
    );
  });

  it('is rejected at any depth', () => {
    expect(() => parse('[{"pets":[{"a":1,"a":1}]}]')).toThrow('twice');
  });
});

describe.each(['__proto__', 'constructor', 'prototype'])('the name %s in a body', (name) => {
  it.each([
    ['plain', `{"${name}":{"status":"sold"}}`],
    ['escaped', `{"${escaped(name)}":1}`],
    ['in the depth', `{"pet":[{"${name}":null}]}`],
  ])('is rejected, %s', (_, text) => expect(() => parseBody(text)).toThrow(`it has a member named ${name}`));

  it('is accepted as a value', () => {
    expect(parseBody(`{"name":"${name}"}`)).toStrictEqual({ name });
  });
});

describe('the error message', () => {
  it.each([
    ['says where the text goes wrong', '{"a":x}', 'something is wrong at character 6'],
    ['says when the text ends too early', '{"a":', 'something is wrong at its end'],
    ['does not repeat what was sent', '{"key":"sesame" sesame}', /^(?!.*sesame)/],
  ])('%s', (_, text, sentence) => expect(() => parse(text)).toThrow(sentence));
});

describe('nesting of a body', () => {
  const lists = (depth: number, core = '') => '['.repeat(depth) + core + ']'.repeat(depth);
  const objects = (depth: number, core = '') =>
    `{"a":`.repeat(depth - 1) + `{${core}}` + '}'.repeat(depth - 1);
  const shapes: [string, (depth: number) => string][] = [
    ['lists', (depth) => lists(depth, '1')],
    ['empty lists', (depth) => lists(depth)],
    ['objects', (depth) => objects(depth, '"b":1')],
    ['empty objects', (depth) => objects(depth)],
    ['lists and objects', (depth) => `{"a":${lists(depth - 2, '{}')}}`],
  ];

  it.each(shapes)('may be 32 %s deep', (_, nested) => {
    expect(parseBody(nested(32))).toStrictEqual(JSON.parse(nested(32)));
  });

  it.each(shapes)('may not be 33 %s deep', (_, nested) => {
    expect(() => parseBody(nested(33))).toThrow('it is nested deeper than 32 levels');
  });

  it('of a hundred thousand levels is rejected, and does not crash the parser', () => {
    expect(() => parseBody('['.repeat(100_000))).toThrow(MalformedJson);
  });

  it('counts levels, not brackets, so many objects may be side by side', () => {
    expect(parseBody(`[${Array.from({ length: 100 }, () => '{}').join()}]`)).toHaveLength(100);
  });
});
