// The values that a schema does not allow any more, and the values that are new. The former break clients in requests, the latter
// in responses.
import { isDeepStrictEqual } from 'node:util';

const TYPES = ['integer', 'number', 'string', 'boolean', 'object', 'array', 'null'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const IN_WORDS = [...UPPER, ...LOWER, 'type', 'enum', 'format', 'default'];
const TEXTS = ['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', '$comment'];
const PARTS = ['name', 'isNamed', 'choices', 'items', 'properties', 'required', 'additionalProperties'];
const NOT_COMPARED = [...TEXTS, ...PARTS];

/** The target of a reference, or the part itself if it is not a reference. */
export function resolved(document, part) {
  const [, ...keys] = part.$ref?.split('/') ?? [];
  const target = keys.reduce((within, key) => within[key], document);
  return part.$ref ? resolved(document, target) : part;
}

/** Calls `removed`, `added` or `kept` for each key of two objects, with its value or values. */
export function compareKeys(old, now, { removed, added, kept }) {
  for (const key of Object.keys({ ...old, ...now })) {
    if (!(key in now)) removed(key, old[key]);
    else if (!(key in old)) added(key, now[key]);
    else kept(key, old[key], now[key]);
  }
}

/**
 * A schema merged with the target of its reference, all of `allOf`, and the only choice beside null. `isNamed` if the result is a
 * component without additions.
 */
function flat(document, { $ref, allOf = [], oneOf = [], anyOf = oneOf, ...own }) {
  const choices = anyOf.filter(({ type }) => type !== 'null');
  const isOne = choices.length === 1;
  const parts = [...($ref ? [resolved(document, { $ref })] : []), ...allOf, ...(isOne ? choices : [])];
  const flats = parts.map((part) => flat(document, part));
  const common = (types, { type }) => types.filter((one) => type.includes(one));
  const types = flats.reduce(common, [own.type ?? TYPES].flat());
  if (choices.length < anyOf.length) types.push('null');
  return {
    ...Object.assign({}, ...flats, own),
    name: $ref ?? (flats.length === 1 ? flats[0].name : undefined),
    isNamed: choices.length === anyOf.length && Object.keys(own).every((keyword) => TEXTS.includes(keyword)),
    choices: [...(isOne ? [] : choices), ...flats.flatMap((one) => one.choices)],
    type: types.includes('number') ? [...new Set([...types, 'integer'])] : types,
    properties: Object.assign({}, ...flats.map(({ properties }) => properties), own.properties),
    required: [...flats.flatMap(({ required }) => required), ...(own.required ?? [])],
  };
}

/** Whether a changed keyword allows fewer values, and whether it allows more. */
function effectOf(keyword, old, now) {
  if (keyword === 'default') return [old !== undefined, false];
  if (old === undefined || now === undefined) return [now !== undefined, old !== undefined];
  if (UPPER.includes(keyword)) return [now < old, now > old];
  if (LOWER.includes(keyword)) return [now > old, now < old];
  if (!Array.isArray(old)) return [true, true];
  return [old.some((value) => !now.includes(value)), now.some((value) => !old.includes(value))];
}

/**
 * Compares two schemas. A difference in a component is reported once, whatever refers to it.
 * @param comparison `before` and `after`, the documents; `side`, 'requests' or 'answers'; `say(subject, what, breaks)`; `seen`, a
 * set
 * @param subject the name of what is compared, if it is not a component
 */
export function compareSchemas(comparison, subject, before = {}, after = {}) {
  const { side, seen } = comparison;
  if (before.$ref === after.$ref && seen.has(`${side} ${before.$ref}`)) return;
  const [old, now] = [flat(comparison.before, before), flat(comparison.after, after)];
  const { name = old.name } = now;
  const at = name !== undefined && old.isNamed && now.isNamed ? name.split('/').at(-1) : subject;
  const say = (what, isLess, isMore) =>
    comparison.say(`${at} in ${side}`, what, side === 'requests' ? isLess : isMore);
  const compare = (part, was, is) => {
    if (was ?? is) compareSchemas(comparison, `${at}${part}`, was, is);
  };

  for (const keyword of Object.keys({ ...old, ...now })) {
    const [was, is] = [old[keyword], now[keyword]];
    if (NOT_COMPARED.includes(keyword) || keyword.startsWith('x-') || isDeepStrictEqual(was, is)) continue;
    const [from, to] = [was, is].map((value = 'none') => [value].flat().join(', '));
    const verb = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const how = IN_WORDS.includes(keyword) ? `from ${from} to ${to}` : verb;
    say(`${keyword} ${how}`, ...effectOf(keyword, was, is));
  }
  // The parts were compared already, or cannot be compared.
  if (seen.has(`${side} ${name}`) || !old.type.some((type) => now.type.includes(type))) return;
  if (name !== undefined) seen.add(`${side} ${name}`);
  const presence = ({ required }, field) => (required.includes(field) ? 'required' : 'optional');
  compareKeys(old.properties, now.properties, {
    removed: (field) => say(`field ${field} removed`, true, true),
    added: (field) =>
      say(`${presence(now, field)} field ${field} added`, presence(now, field) === 'required', false),
    kept: (field, was, is) => {
      const [before, after] = [presence(old, field), presence(now, field)];
      if (before !== after) say(`field ${field} ${after}`, after === 'required', before === 'required');
      compare(`.${field}`, was, is);
    },
  });
  const [isClosed, closes] = [old, now].map((schema) => schema.additionalProperties === false);
  if (side === 'requests' && isClosed !== closes)
    say(`unknown fields ${closes ? 'refused' : 'accepted'}`, closes, false);
  compare('.*', old.additionalProperties, now.additionalProperties);
  compare('[]', old.items, now.items);
  if (old.choices.length !== now.choices.length) say('choices changed', true, true);
  else old.choices.forEach((was, i) => compare('', was, now.choices[i]));
}
