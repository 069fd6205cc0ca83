import { cases, type JsonCase, jsonCase, type Outcome } from './json-case.js';

const GOOD = String.raw`{"name":"R\u00e9x","categoryId":-70e-1,"status":"sold"}`;
const MARKS = ['"', '\\', '}', ',', '0', '-', '.', 'e', '\u0000', 'é'];

/** The expected outcome of a text without duplicate names: by `JSON.parse`, then by the rules of the fields. */
function outcomeOf(text: string): Outcome {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'invalid_json';
  }
  const { name, categoryId, status, ...more } = value;
  const isGood =
    typeof name === 'string' &&
    name.isWellFormed() &&
    !/\p{Cc}/u.test(name) &&
    /[^ ]/.test(name) &&
    Number.isInteger(categoryId) &&
    Math.abs(categoryId as number) < 2 ** 63 &&
    (status === undefined || status === 'sold') &&
    Object.keys(more).length === 0;
  return isGood && !('status' in value && status === undefined) ? 'stored' : 'validation_failed';
}

/** Every text that differs from a valid one in one character: replaced, inserted, removed or doubled. */
const neighbours = Array.from(GOOD, (_, at) => [
  ...MARKS.flatMap((mark) => [
    GOOD.slice(0, at) + mark + GOOD.slice(at + 1),
    GOOD.slice(0, at) + mark + GOOD.slice(at),
  ]),
  GOOD.slice(0, at) + GOOD.slice(at + 1),
  GOOD.slice(0, at + 1) + GOOD.slice(at),
]).flat();

export const MUTATIONS: readonly JsonCase[] = [
  ...[...new Set(neighbours)].map((text) => jsonCase('one character changed', text, outcomeOf(text))),
  ...cases('one character changed', 'stored', [GOOD]),
];
