import { SORTED } from './fields.js';
import { articleOf, capital, pluralOf, singularOf, wordsOf } from './names.js';
import { SQL_WORDS } from './sql-words.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 20, 12);

/** The expression of the nth text. The texts differ as much as the length allows. */
const textOf = ({ words, length }) =>
  `${capital(words)} 1000`.length <= length ? `\`${capital(words)} \${n}\`` : `String(n).slice(-${length})`;

/** The names of the type of one word, and of the constant of all words. */
const wordsIn = ({ Entity, ENTITY }, name, words) => ({
  Type: `${Entity}${capital(name)}`,
  WORDS: `${ENTITY}_${pluralOf(words).replaceAll(' ', '_').toUpperCase()}`,
});

/** The expression of a day, for the expression of a `Date`. */
const dayOf = (date) => `${date}.toISOString().slice(0, 10)`;

/**
 * Each type of field, in TypeScript: in the domain, in the body, in each engine, as the example of the OpenAPI document, and as
 * the nth example of tests. If the service gives the field, `start` is its value at first, where `now` is a `Date` of the clock.
 * `startInBody` and `exampleInDomain` are absent if they are the same as `start` and `example`.
 */
const TYPES = {
  text: (field) => ({
    ts: 'string',
    decorator: 'TextField',
    columnKind: `text(${field.length}`,
    sqlite: 'TEXT',
    mysql: `VARCHAR(${field.length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    example: `'${(capital(field.words) + ' one').slice(0, field.length)}'`,
    nth: textOf(field),
    wrong: '7',
    wrongCode: 'invalid_type',
  }),
  integer: ({ min, max }) => ({
    ts: 'number',
    decorator: 'IntegerField',
    columnKind: 'number(',
    sqlite: 'INTEGER',
    mysql: 'INT',
    example: String(min),
    start: String(min),
    nth: `${min} + (n % ${max - min + 1})`,
    wrong: String(max + 1),
    wrongCode: 'out_of_range',
  }),
  int64: (field, i) => ({
    ts: 'Int64',
    decorator: field.owner ? 'IdField' : 'Int64Field',
    columnKind: 'int64(',
    sqlite: 'INTEGER',
    mysql: 'BIGINT',
    example: String(42 + i),
    exampleInDomain: `${42 + i}n`,
    start: '0n',
    startInBody: '0',
    nth: `${42 + i}n + BigInt(n)`,
    wrong: `'x'`,
    wrongCode: 'invalid_type',
  }),
  decimal: ({ precision, scale }) => ({
    ts: 'string',
    decorator: 'DecimalField',
    columnKind: `decimal(${precision}, ${scale}`,
    sqlite: 'INTEGER',
    mysql: 'BIGINT',
    example: `'${precision - scale > 1 ? '12' : '1'}.${'5'.padEnd(scale, '0')}'`,
    nth: `\`\${n % ${10 ** Math.min(precision - scale, 9)}}.${'5'.padEnd(scale, '0')}\``,
    start: `'${(0).toFixed(scale)}'`,
    wrong: `'1,5'`,
    wrongCode: 'invalid_format',
  }),
  day: (field, i) => ({
    ts: 'string',
    decorator: 'DayField',
    columnKind: 'day(',
    sqlite: 'TEXT',
    mysql: 'DATE',
    sortWord: 'day',
    earliest: `'1000-01-01'`,
    example: `'${new Date(NOON + 24 * i * HOUR).toISOString().slice(0, 10)}'`,
    nth: dayOf(`new Date(Date.UTC(2026, 10, ${20 + i} + n))`),
    start: dayOf('now'),
    ofClock: true,
    wrong: `'2026-02-30'`,
    wrongCode: 'invalid_format',
  }),
  instant: (field, i) => ({
    sortWord: 'instant',
    earliest: 'new Date(-1)',
    ts: 'Date',
    decorator: 'InstantField',
    columnKind: 'instant(',
    sqlite: 'INTEGER',
    mysql: 'BIGINT',
    example: `'${new Date(NOON + i * HOUR).toISOString()}'`,
    exampleInDomain: `new Date('${new Date(NOON + i * HOUR).toISOString()}')`,
    start: 'now',
    startInBody: 'now.toISOString()',
    ofClock: true,
    nth: `new Date(Date.UTC(2026, 10, 20 + n, ${12 + i}))`,
    wrong: `'2026-02-30T12:00:00Z'`,
    wrongCode: 'invalid_format',
  }),
  boolean: () => ({
    ts: 'boolean',
    decorator: 'BooleanField',
    columnKind: 'boolean(',
    sqlite: 'INTEGER',
    mysql: 'TINYINT',
    example: 'true',
    start: 'false',
    nth: 'n % 2 === 1',
    wrong: `'x'`,
    wrongCode: 'invalid_type',
  }),
  words: (field, _, names) => {
    const length = JSON.stringify(field.values).length;
    return {
      ...wordsIn(names, singularOf(field.name), singularOf(field.words)),
      ts: `readonly ${wordsIn(names, singularOf(field.name), '').Type}[]`,
      decorator: 'WordsField',
      columnKind: `words(${length}`,
      sqlite: 'TEXT',
      mysql: `VARCHAR(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
      example: `['${field.values[0]}']`,
      start: '[]',
      wrong: `['no such']`,
      wrongCode: 'invalid_enum_value',
    };
  },
  enum: (field, _, names) => ({
    ...wordsIn(names, field.name, field.words),
    ts: wordsIn(names, field.name, field.words).Type,
    decorator: 'EnumField',
    columnKind: `word(${field.width}`,
    sqlite: 'TEXT',
    mysql: `VARCHAR(${field.width}) CHARACTER SET ascii COLLATE ascii_bin`,
    example: `'${field.values[0]}'`,
    start: `'${field.values[0]}'`,
    wrong: `'no such'`,
    wrongCode: 'invalid_enum_value',
  }),
};

/** The remaining arguments of a column. */
function optionsOf(column, { type, optional }, kind) {
  const all = [
    column && `name: '${column}'`,
    type === 'integer' && "type: 'int'",
    optional && 'nullable: true',
  ];
  const options = all.filter(Boolean).join(', ');
  if (options === '') return '';
  return `${kind.endsWith('(') ? '' : ', '}{ ${options} }`;
}

/** The words for the mark of a field in descriptions. */
const marksOf = ({ isGiven, isFixed }) =>
  isGiven ? '; assigned by the service' : isFixed ? '; cannot be changed' : '';

function descriptionOf({ name, owner, isStatus, type, MAX, words, optional, ...marks }, { noun }) {
  if (isStatus) return `'Where the ${noun} stands.'`;
  const called = type === 'boolean' || words.includes(' ') ? `\`${name}\`` : words;
  const what = owner
    ? `Identifier of the ${owner} that the ${noun} belongs to`
    : `The ${called} of the ${noun}`;
  const how = {
    instant: ', RFC 3339, to the millisecond',
    day: ', a calendar day',
    decimal: ', a decimal number',
    // A schema cannot express these bounds.
    text: `, kept as it is: 1 to \${${MAX}} code points, one of them visible`,
  };
  const description = `${what}${how[type] ?? ''}${optional ? '; may be absent' : ''}${marksOf(marks)}.`;
  return type === 'text' ? `\`${description.replaceAll('`', '\\`')}\`` : `'${description}'`;
}

function documentedTypeOf({ type, length, min, max, scale, values, owner, isStatus, ...marks }) {
  if (owner) return `id of ${articleOf(owner)} ${owner}`;
  const what = {
    text: `text of 1 to ${length} characters`,
    integer: `integer from ${min} to ${max}`,
    int64: 'integer of 64 bits',
    decimal: `text of a decimal number, ${scale} digits after the point`,
    instant: 'RFC 3339, to the millisecond',
    day: 'calendar day, `2026-11-20`',
    boolean: '`true` or `false`',
    enum: values?.map((value) => `\`${value}\``).join(', '),
    words: `list of ${values?.map((value) => `\`${value}\``).join(', ')}`,
  }[type];
  return isStatus ? `${what}; read-only in a new one` : `${what}${marksOf(marks)}`;
}

/** The nth word of an enum, or the nth list of words. */
function nthWord({ type, values }, { WORDS }) {
  const one = `${WORDS}[n % ${values.length}]!`;
  return type === 'words' ? `[${one}]` : one;
}

/** All data of a field for the templates. */
export function viewOfField(given, i, names) {
  const words = wordsOf(given.name);
  const CONSTANT = words.join('_').toUpperCase();
  const [MIN, MAX] = ['MIN', 'MAX'].map((end) => `${end}_${names.ENTITY}_${CONSTANT}`);
  const field = {
    owner: false,
    isStatus: false,
    isGiven: false,
    isFixed: false,
    ...given,
    words: words.join(' '),
    width: 32,
    MIN,
    MAX,
  };
  if (field.isStatus) field.width = 16;
  const type = TYPES[field.type](field, i, names);
  const { name, optional, owner } = field;
  const word = words.join('_');
  // A name that is a word of SQL would need quotes in each statement of a team.
  const column = SQL_WORDS.has(word) ? `${word}_${field.type}` : word;
  const isFilter = Boolean(owner) || field.type === 'enum';
  return {
    ...field,
    exampleInDomain: type.example,
    startInBody: type.start,
    ofClock: false,
    ...type,
    first: optional ? 'undefined' : type.start,
    Name: capital(name),
    aName: `${articleOf(name)} ${name}`,
    column,
    columnOptions: optionsOf(column === name ? undefined : column, field, type.columnKind),
    CONSTANT,
    plain: !optional && field.type !== 'text',
    description: descriptionOf(field, names),
    isText: field.type === 'text',
    isInteger: field.type === 'integer',
    isInt64: field.type === 'int64',
    isInstant: field.type === 'instant',
    isBoolean: field.type === 'boolean',
    isEnum: field.type === 'enum',
    isDecimal: field.type === 'decimal',
    hasWords: field.type === 'enum' || field.type === 'words',
    isFilter,
    isSent: !field.isStatus && !field.isGiven,
    isSort: SORTED.includes(field.type),
    nth: type.nth ?? nthWord(field, type),
    json: type.example.replaceAll(`'`, '"'),
    documentedType: documentedTypeOf(field),
    documentedFilter: isFilter
      ? `\`${name}\``
      : SORTED.includes(field.type)
        ? `\`${name}From\`, \`${name}Before\``
        : '-',
    nullCode: field.type === 'enum' ? 'invalid_enum_value' : 'invalid_type',
    differs: !(field.values?.length === 1),
    ofDomain: `${name}${optional ? '?' : ''}: ${type.ts}`,
    ofEntity: `${name}${optional ? '?' : '!'}: ${type.ts}`,
  };
}
