import { articleOf, capital, pluralOf, wordsOf } from './names.js';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 20, 12);

/** An example text with the name of the field, within its length. */
function textOf({ words, length }, i, word) {
  const text = `${capital(words)} ${word}`;
  return text.length <= length ? text : String.fromCharCode(97 + i) + word.slice(0, length - 1);
}

/** Each type: in the domain, in the body, in each engine, and two examples: as TypeScript in the domain, and as JSON. */
const TYPES = {
  text: (field, i) => ({
    ts: 'string',
    bodyTs: 'string',
    decorator: 'TextField',
    columnKind: `text(${field.length}`,
    sqlite: 'TEXT',
    mysql: `VARCHAR(${field.length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    examples: ['one', 'two'].map((word) => `'${textOf(field, i, word)}'`).map((text) => [text, text]),
    wrong: '7',
    wrongCode: 'invalid_type',
  }),
  int64: (field, i) => ({
    ts: 'Int64',
    bodyTs: 'number | bigint',
    decorator: 'Int64Field',
    columnKind: 'int64(',
    sqlite: 'INTEGER',
    mysql: 'BIGINT',
    examples: [42, 57].map((number) => [`${number + i}n`, `${number + i}`]),
    wrong: `'x'`,
    wrongCode: 'invalid_type',
  }),
  instant: (field, i) => ({
    ts: 'Date',
    bodyTs: 'Date',
    decorator: 'InstantField',
    columnKind: 'instant(',
    sqlite: 'INTEGER',
    mysql: 'BIGINT',
    examples: [NOON, NOON + 365 * DAY]
      .map((time) => `'${new Date(time + i * DAY).toISOString()}'`)
      .map((text) => [`new Date(${text})`, text]),
    wrong: `'2026-02-30T12:00:00Z'`,
    wrongCode: 'invalid_format',
  }),
  boolean: () => ({
    ts: 'boolean',
    bodyTs: 'boolean',
    decorator: 'BooleanField',
    columnKind: 'boolean(',
    sqlite: 'INTEGER',
    mysql: 'TINYINT',
    examples: ['true', 'false'].map((word) => [word, word]),
    wrong: `'x'`,
    wrongCode: 'invalid_type',
  }),
  enum: (field, _, names) => ({
    Type: `${names.Entity}${capital(field.name)}`,
    WORDS: `${names.ENTITY}_${pluralOf(field.words).replaceAll(' ', '_').toUpperCase()}`,
    ts: `${names.Entity}${capital(field.name)}`,
    bodyTs: `${names.Entity}${capital(field.name)}`,
    decorator: 'EnumField',
    columnKind: `word(${field.width}`,
    sqlite: 'TEXT',
    mysql: `VARCHAR(${field.width}) CHARACTER SET ascii COLLATE ascii_bin`,
    examples: [field.values[0], field.values.at(-1)].map((word) => [`'${word}'`, `'${word}'`]),
    wrong: `'no such'`,
    wrongCode: 'invalid_enum_value',
  }),
};

/** The remaining arguments of a column. */
function optionsOf(column, optional, kind) {
  const options = [column && `name: '${column}'`, optional && 'nullable: true'].filter(Boolean).join(', ');
  if (options === '') return '';
  return `${kind.endsWith('(') ? '' : ', '}{ ${options} }`;
}

function descriptionOf({ name, owner, isStatus, type, MAX, words, optional }, { noun }) {
  if (isStatus) return `'Where the ${noun} stands.'`;
  const called = type === 'boolean' || words.includes(' ') ? `\`${name}\`` : words;
  const what = owner
    ? `Identifier of the ${owner} that the ${noun} belongs to`
    : `The ${called} of the ${noun}`;
  const how = {
    instant: ', RFC 3339, to the millisecond',
    // Bounds that a schema cannot express.
    text: `, kept as it is: 1 to \${${MAX}} code points, one of them visible`,
  };
  const description = `${what}${how[type] ?? ''}${optional ? '; may be absent' : ''}.`;
  return type === 'text' ? `\`${description.replaceAll('`', '\\`')}\`` : `'${description}'`;
}

function documentedTypeOf({ type, length, values, owner, isStatus }) {
  if (owner) return `id of ${articleOf(owner)} ${owner}`;
  const what = {
    text: `text of 1 to ${length} characters`,
    int64: 'integer of 64 bits',
    instant: 'RFC 3339, to the millisecond',
    boolean: '`true` or `false`',
    enum: values?.map((value) => `\`${value}\``).join(', '),
  }[type];
  return isStatus ? `${what}; read-only in a new one` : what;
}

/** All data of a field for the templates. */
export function viewOfField(given, i, names) {
  const words = wordsOf(given.name);
  const CONSTANT = words.join('_').toUpperCase();
  const MAX = `MAX_${names.ENTITY}_${CONSTANT}`;
  const field = { owner: false, isStatus: false, ...given, words: words.join(' '), width: 32, MAX };
  if (field.isStatus) field.width = 16;
  const { examples, ...type } = TYPES[field.type](field, i, names);
  const { name, optional, owner } = field;
  const column = words.join('_');
  const isFilter = Boolean(owner) || field.type === 'enum';
  const [[a, aJson], [b, bJson]] = examples;
  return {
    ...field,
    ...type,
    Name: capital(name),
    aName: `${articleOf(name)} ${name}`,
    column,
    columnOptions: optionsOf(column === name ? undefined : column, optional, type.columnKind),
    CONSTANT,
    plain: !optional && field.type !== 'text',
    description: descriptionOf(field, names),
    isText: field.type === 'text',
    isInt64: field.type === 'int64',
    isInstant: field.type === 'instant',
    isBoolean: field.type === 'boolean',
    isEnum: field.type === 'enum',
    isFilter,
    isSort: field.type === 'instant',
    a,
    b,
    json: aJson.replaceAll(`'`, '"'),
    documentedType: documentedTypeOf(field),
    documentedFilter: isFilter
      ? `\`${name}\``
      : field.type === 'instant'
        ? `\`${name}From\`, \`${name}Before\``
        : '-',
    nullCode: field.type === 'enum' ? 'invalid_enum_value' : 'invalid_type',
    differs: a !== b,
    aJson,
    bJson,
    ofDomain: `${name}${optional ? '?' : ''}: ${type.ts}`,
  };
}
