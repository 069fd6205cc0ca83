import { Ajv } from 'ajv';
import { INT64, mapValue } from './operations.js';

/** The service checks formats. It also accepts keywords that this package does not know. */
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false, verbose: true });

/**
 * The arguments of a call as the schema of its tool says, with each int64 as a bigint.
 * @throws TypeError with a sentence for each problem, which an agent can act on
 */
export function readArguments({ inputSchema }, given) {
  const { properties, required } = inputSchema;
  const isLeftOut = ([name, value]) =>
    (value === null || value === '') && Object.hasOwn(properties, name) && !required.includes(name);
  const named = Object.fromEntries(Object.entries(given).filter((argument) => !isLeftOut(argument)));
  const read = mapValue(inputSchema, named, meant);
  const isValid = ajv.compile(inputSchema);
  if (!isValid(read)) throw new TypeError(sentencesOf(isValid.errors, properties).join(' '));
  return mapValue(inputSchema, read, toBigInt);
}

const toBigInt = ({ pattern }, value) =>
  pattern === INT64 && typeof value === 'string' ? BigInt(value) : value;

/** The value that an agent meant, where its type is clear: agents send numbers and lists as text, and ids as numbers. */
function meant({ type, pattern, enum: words, items }, value) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(`${value} may have lost digits. Send integers beyond 2^53 as text.`);
  const accepts = (kind) => [type].flat().includes(kind);
  if (typeof value === 'number') {
    if (pattern === INT64) return String(value);
    return accepts('array') ? [value] : value;
  }
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (accepts('object') || accepts('array')) {
    const isJson = text.startsWith(accepts('object') ? '{' : '[');
    if (isJson) return parsed(text) ?? value;
    return accepts('array') && items?.type !== 'object' ? text.split(/\s*,\s*/) : value;
  }
  if (pattern === INT64 || words?.includes(text)) return text;
  if (accepts('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isNumber = (accepts('integer') || accepts('number')) && /^-?\d+(\.\d+)?$/.test(text);
  return isNumber && !accepts('string') ? Number(text) : value;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    // The message says which type is expected.
    return undefined;
  }
}

function sentencesOf(errors, properties) {
  const fields = properties.body?.properties ?? {};
  const isOfBody = ({ keyword, instancePath, params }) =>
    keyword === 'additionalProperties' &&
    instancePath === '' &&
    Object.hasOwn(fields, params.additionalProperty);
  const misplaced = errors.filter(isOfBody);
  if (misplaced.length === 0) return errors.map(sentenceOf);
  const body = Object.fromEntries(
    misplaced.map(({ data, params: { additionalProperty: name } }) => [name, data[name]]),
  );
  const others = errors.filter(
    (error) => !misplaced.includes(error) && error.params.missingProperty !== 'body',
  );
  return [
    `Put ${Object.keys(body).join(', ')} into body, as in ${JSON.stringify({ body })}.`,
    ...others.map(sentenceOf),
  ];
}

const KINDS = { string: 'text', array: 'a list', object: 'an object', integer: 'a whole number' };

function sentenceOf({ keyword, instancePath, params, parentSchema, data, message }) {
  const at = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name) => (at === '' ? name : `${at}.${name}`);
  switch (keyword) {
    case 'required':
      return `${inside(params.missingProperty)} is missing.`;
    case 'additionalProperties': {
      const known = Object.keys(parentSchema.properties).join(', ');
      const all = at === '' ? 'The arguments are' : `The fields of ${at} are`;
      return `${inside(params.additionalProperty)} is unknown. ${all} ${known}.`;
    }
    case 'type': {
      const kind = data === null ? 'null' : Array.isArray(data) ? 'array' : typeof data;
      const wanted = [params.type].flat().map((name) => KINDS[name] ?? name);
      return `${at} must be ${wanted.join(' or ')}, not ${KINDS[kind] ?? kind}.`;
    }
    case 'enum':
      return `${at} must be one of ${params.allowedValues.join(', ')}.`;
    case 'pattern':
      if (parentSchema.pattern === INT64) return `${at} must be a whole number as text, such as "7".`;
      return `${at} has characters that are not allowed, or a wrong length. ${parentSchema.description ?? ''}`.trim();
    default:
      return `${at} ${message.replace('NOT', 'not').replace('<=', 'at most').replace('>=', 'at least')}.`;
  }
}
