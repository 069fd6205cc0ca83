import { cases, type JsonCase, jsonCase, MEMBERS, withMember } from './json-case.js';

const GOOD = `{${MEMBERS},"status":"sold"}`;

/** Valid JSON of another shape. */
// prettier-ignore
const OTHER_SHAPES = [
  '{}', '[]', '[{}]', '[[]]', 'null', 'true', 'false', '0', '-1', '1.5', '"x"', '""', `[${GOOD}]`, '{"a":{}}',
  '{"":0}', '{" ":1}', '{"name":null,"categoryId":1}', '{"name":"x","categoryId":null}',
  '{"name":{},"categoryId":1}', '{"name":[],"categoryId":1}', '{"name":true,"categoryId":1}', '{"name":"x"}',
  '{"categoryId":1}', `{${MEMBERS},"status":null}`, `{${MEMBERS},"status":{}}`, `{${MEMBERS},"status":["sold"]}`,
  `{${MEMBERS},"id":1}`, `{${MEMBERS},"Name":"y"}`, `{${MEMBERS},"name ":"y"}`, `{${MEMBERS},"":1}`,
];
/** Names of built-in properties of JavaScript objects. */
// prettier-ignore
const INHERITED = [
  'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', 'then', 'length',
];

/** Brackets, commas, colons and words in places where they do not belong. */
// prettier-ignore
const MALFORMED = [
  '{', '}', '[', ']', '{{', '}}', '[[', '{]', '[}', '[{', '{[', '{}}', '[]]', '{}{}', '{} {}', '[][]',
  '{}[]', '1 2', '"x" 1', ',', ':', ';', '{,}', '[,]', '{:}', '[:]', '{"a"}', '{"a",}', '{"a":}', '{:1}',
  '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a" 1}', '{"a"::1}', '{"a":1:2}', '{"a":1;"b":2}', '{"a"=1}',
  '{"a"=>1}', '{"a":1 "b":2}', '{"a","b":1}', '{a:1}', "{'a':1}", '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1:2]',
  '[1;2]', '["a":1]', '[1', '[1,', '1]', '["x"', '["x",', '[1}', '{"a":[}', '{1:1}', '{null:1}', '{true:1}',
  '{[]:1}', '{{}:1}', '{"a":b}', '{"a":/x/}', '{"a":function(){}}', '{"a":1,...b}', '(1)', '({})', 'nul',
  'nulll', 'NULL', 'Null', 'nil', 'None', 'undefined', 'True', 'TRUE', 'tru', 'truee', 'False', 'fals', 'n',
  't', 'f', 'yes', '// x\n{}', '{} // x', '/* x */{}', '{/**/}', '{"a":/* */1}', '{"a":1}#', '# {}',
  '<!-- -->{}', '--{}', ';{}', '{};', '{}\0', "')]}',{}", 'while(1);{}', 'callback({})', '{}&&{}', '<pet/>',
  'name=x&categoryId=1', 'name: x', '---\nname: x', '*', '&a', '!x', `{${MEMBERS}}}`, `{${MEMBERS}}{`,
  `{${MEMBERS}},`, `{${MEMBERS},}`, `{${MEMBERS},,"status":"sold"}`, `{,${MEMBERS}}`, `{${MEMBERS}}1`,
  `{${MEMBERS}}"`, `{${MEMBERS}}x`, `x{${MEMBERS}}`, `{${MEMBERS}}{${MEMBERS}}`,
  `{${MEMBERS}}\n{${MEMBERS}}`, `[${GOOD}`, `${GOOD}]`, `{${GOOD}}`, `(${GOOD})`, `${GOOD};`,
  `\u001e${GOOD}`, `${GOOD}\u001a`, `${GOOD}\u0000`, `\u0000${GOOD}`,
];

/** RFC 7493 section 2.3: no duplicate names, in any spelling and at any depth. */
// prettier-ignore
const TWICE = [
  `{${MEMBERS},"name":"y"}`, `{${MEMBERS},"name":"x"}`, `{"name":"y",${MEMBERS}}`,
  `{${MEMBERS},"categoryId":1}`, `{${MEMBERS},"status":"sold","status":"sold"}`,
  String.raw`{"n\u0061me":"y","name":"x","categoryId":1}`,
  String.raw`{"name":"y","\u006eame":"x","categoryId":1}`,
  `{${MEMBERS},"":1,"":2}`,
  '{"a":1,"a":1}',
  '{"a":null,"a":null}',
  '{"a":1,"b":2,"a":3}',
  '[{"a":1,"a":2}]',
  '{"é":1,"\\u00e9":2}',
  String.raw`{"\ud83d\udc36":1,"🐶":2}`,
  '{"\\/":1,"/":2}',
  withMember('{"a":1,"a":2}'),
  withMember('[[{"a":{"b":0,"b":0}}]]'),
  '{"0":1,"0":2}',
  '{"constructor":1,"constructor":2}',
];
// prettier-ignore
const NO_TWINS = [
  `{${MEMBERS},"NAME":"y"}`, '{"a":1,"A":1}', '{"é":1,"e\\u0301":2}', '[{"a":1},{"a":1}]',
  withMember('{"name":"y"}'),
];

const PROTO = [
  `{${MEMBERS},"__proto__":{}}`,
  `{"__proto__":null,${MEMBERS}}`,
  '{"__proto__":{"name":"x","categoryId":1}}',
  String.raw`{"\u005f_proto__":{},"name":"x","categoryId":1}`,
  withMember('{"__proto__":1}'),
  '[{"__proto__":[]}]',
];

/** Every proper prefix of a valid body. */
const cutOff = Array.from(GOOD, (_, length) => GOOD.slice(0, length));

const nested = (open: string, core: string, close: string, depth: number) =>
  open.repeat(depth) + core + close.repeat(depth);
const DEPTHS = [1, 2, 3, 8, 16, 30, 31, 32, 33, 34, 64, 128, 1_000, 10_000];
/** An enclosing object adds one level. */
const nesting = DEPTHS.flatMap((depth) => {
  const texts = [nested('[', '', ']', depth), nested('{"a":', '0', '}', depth)];
  if (depth % 2 === 0) texts.push(nested('[ {"a":', '1', '} ]', depth / 2));
  return texts.flatMap((text) => [
    jsonCase('nesting', text, depth <= 32 ? 'validation_failed' : 'invalid_json'),
    jsonCase('nesting', withMember(text), depth < 32 ? 'validation_failed' : 'invalid_json'),
  ]);
});

const withMembers = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":1`).join(',')}}`;

/** Objects, arrays and words, valid and malformed; duplicate names; depth. */
export const STRUCTURES: readonly JsonCase[] = [
  ...cases('structures: other shapes', 'validation_failed', OTHER_SHAPES),
  ...cases(
    'structures: inherited names',
    'validation_failed',
    INHERITED.map((name) => `{${MEMBERS},"${name}":1}`),
  ),
  ...cases('structures: malformed', 'invalid_json', [
    ...MALFORMED,
    ...MALFORMED.slice(0, 60).map(withMember),
  ]),
  ...cases('structures: cut off', 'invalid_json', cutOff),
  ...cases('structures: a name twice', 'invalid_json', TWICE),
  ...cases('structures: names that differ', 'validation_failed', NO_TWINS),
  ...cases('structures: __proto__', 'invalid_json', PROTO),
  ...cases('structures: order', 'stored', [
    GOOD,
    '{"categoryId":1,"name":"x"}',
    '{"status":"sold","categoryId":1,"name":"x"}',
  ]),
  ...nesting,
  ...cases(
    'nesting: left open',
    'invalid_json',
    ['[', '{"a":', '[{"a":', '{"a":[', '[[],'].map((text) => text.repeat(9_000)),
  ),
  ...cases('structures: wide', 'validation_failed', [
    `[${'0,'.repeat(40_000)}0]`,
    `[${'[],'.repeat(30_000)}[]]`,
    `{${MEMBERS},"more":[${'{},'.repeat(30_000)}{}]}`,
    withMembers(1_000),
  ]),
  // More members than any pet needs: docs/decisions/0007-strict-json.md.
  ...cases('structures: wider than is read', 'invalid_json', [withMembers(1_001), withMembers(8_000)]),
];
