import fc from 'fast-check';
import type { Schema, Values } from './arbitraries.js';
import type { Fits } from './judge.js';

type Json = Record<string, unknown>;

/** Values that are almost valid for some field. */
const NEARLY = [
  [null, true, [], ['x'], {}, '', ' ', 'a\u0000b', 'tab\t', '\u200b'],
  [0, -1, 7.5, 1e3, 1e300, 2 ** 53, 2 ** 63, -(2 ** 63)],
  ['x'.repeat(40), 'x'.repeat(41), '🐶'.repeat(255), '🐶'.repeat(256)],
  ['x', '7', 'available', 'AVAILABLE', 'placed', 'check'],
  ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00', '2026-02-30T10:00:00Z', '2026-02-30'],
].flat();

/** Each is of a type that most fields do not have. */
const OF_WRONG_TYPES = [null, [], {}, 'x', true];

/** For formats and patterns that made-up texts do not match. */
const OF_FORMATS = [
  'a@shop.example',
  '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  '127.0.0.1',
  '2026-11-20',
  'aa',
  'a1',
  'a.b',
  '1.5',
  10,
];

/** Values that break a bound, if there is one. */
function beyond(schema: Schema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, maxLength } = schema;
  const bounds = [exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== undefined);
  const [least, most] = [minimum, maximum].map((bound) => bound ?? NaN);
  const numbers = [...bounds, least! - 1, most! + 1, 1.5, 7].filter((number) => !Number.isNaN(number));
  const texts = ['', 'no such word', 'a\u0000b', (schema.not?.pattern ?? '').replaceAll('\\', '')];
  return [...numbers, ...texts, 'x'.repeat((maxLength ?? 0) + 1), ...(schema.not?.enum ?? [])];
}

/** A body with one fault, at the field that `pointer` names. */
interface Fault {
  readonly pointer: string;
  readonly body: unknown;
}

/** One valid value, with all optional fields. It prefers the examples, because made-up texts do not match patterns. */
export function fittingOf(
  values: Values,
  fits: Fits,
  unresolved: Schema,
  outer: readonly (Schema | undefined)[] = [],
): unknown {
  const schema = values.resolve(unresolved);
  const example = unresolved.example ?? schema.example;
  if (example !== undefined && fits(unresolved, example)) return example;
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, fittingOf(values, fits, field, outer)]));
  }
  // A schema that contains itself ends with an empty list.
  if (schema.items) {
    const length = schema.minItems ?? Number(!outer.includes(schema.items));
    return Array.from({ length }, () => fittingOf(values, fits, schema.items!, [...outer, schema.items]));
  }
  const tries = fc.sample(values.fitting(unresolved), { seed: 1, numRuns: 100 });
  const made = [...tries, ...OF_FORMATS];
  const found = made.find((value) => fits(unresolved, value));
  if (found === undefined) throw new Error(`Give this field an example that fits: ${JSON.stringify(schema)}`);
  return found;
}

/** Values that differ from a fitting one in one place: a field is missing, or has a value of a wrong type. */
export function faultsOf(
  values: Values,
  fits: Fits,
  unresolved: Schema,
  outer: readonly Schema[] = [],
): Fault[] {
  const schema = values.resolve(unresolved);
  const wrong = [...OF_WRONG_TYPES, ...beyond(schema)].filter((value) => !fits(unresolved, value));
  const faults: Fault[] = wrong.map((body) => ({ pointer: '', body }));
  if (schema.items && !outer.includes(schema.items)) {
    const [item] = fittingOf(values, fits, { ...schema, minItems: 1 }) as unknown[];
    for (const length of [(schema.minItems ?? 0) - 1, (schema.maxItems ?? NaN) + 1, 2]) {
      const body = Array.from({ length: length || 0 }, () => item);
      if (length >= 0 && !fits(unresolved, body)) faults.push({ pointer: '', body });
    }
    const ofItems = faultsOf(values, fits, schema.items, [...outer, schema.items]);
    faults.push(...ofItems.map(({ pointer, body }) => ({ pointer: `/0${pointer}`, body: [body] })));
  }
  if (schema.type !== 'object') return faults;
  const whole = fittingOf(values, fits, unresolved) as Json;
  for (const name of schema.required ?? []) {
    const { [name]: _, ...body } = whole;
    faults.push({ pointer: `/${name}`, body });
  }
  const unknown = { ...whole, strange: 1 };
  if (!fits(unresolved, unknown)) faults.push({ pointer: '/strange', body: unknown });
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    for (const { pointer, body } of faultsOf(values, fits, field, outer))
      faults.push({ pointer: `/${name}${pointer}`, body: { ...whole, [name]: body } });
  }
  return faults;
}

/** Names that the parser rejects, and names of the methods of every object, which class-transformer ignores. */
const INHERITED = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)];
/** Without such names, because a schema cannot forbid them. */
const anyJson = fc
  .jsonValue()
  .filter((any) => INHERITED.every((name) => !JSON.stringify(any).includes(`"${name}":`)));

/** A valid body, one that differs from a valid one in one field, or any JSON. */
export function bodyOf(values: Values, schema: Schema): fc.Arbitrary<unknown> {
  const fitting = values.fitting(schema) as fc.Arbitrary<Json>;
  const names = [...Object.keys(values.resolve(schema).properties ?? {}), 'id', 'colour', 'Name'];
  const value = fc.oneof(fc.constantFrom(...NEARLY), fc.string({ unit: 'grapheme', maxLength: 5 }), anyJson);
  const changed = fc.tuple(fitting, fc.constantFrom(...names), value).map(([body, name, other]) => ({
    ...body,
    [name]: other,
  }));
  const cut = fc.tuple(fitting, fc.constantFrom(...names)).map(([body, name]) => {
    return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
  });
  return fc.oneof(fitting, { weight: 6, arbitrary: changed }, cut, anyJson);
}
