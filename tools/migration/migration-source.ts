import type { Difference } from './schema-difference.js';

/** The column types that a STRICT table allows. */
const STRICT_TYPE = /^"\w+" (?:integer|int|text|real|blob|any)\b/i;

/**
 * Makes the table of a CREATE statement STRICT if its types allow it, because TypeORM does not support STRICT tables of SQLite.
 */
export function strict(statement: string): string {
  const [, columns, end = ''] = /^CREATE TABLE "\w+" \((.*)\)( WITHOUT ROWID)?$/s.exec(statement) ?? [];
  const definitions = columns?.split(/, (?="\w+" )/) ?? [];
  if (definitions.length === 0 || !definitions.every((definition) => STRICT_TYPE.test(definition)))
    return statement;
  return `${statement.slice(0, statement.length - end.length)} STRICT${end && `,${end}`}`;
}

/**
 * The source of a migration, formatted by prettier. `name` is in kebab case, `now` in milliseconds since 1970, and `databaseApi` is the
 * path of the public API of the database room.
 */
export function migrationSource(
  name: string,
  now: number,
  databaseApi: string,
  { sqlite, mysql }: Record<'sqlite' | 'mysql', Difference>,
): string {
  const both = (direction: keyof Difference) =>
    `{\n${list('sqlite', sqlite[direction])}${list('mysql', mysql[direction])}  }`;
  return `import { SqlMigration } from '${databaseApi}';

${comment(unfilledColumns(mysql.forwards))}
export class ${classOf(name)} extends SqlMigration {
  readonly name = '${classOf(name)}${now}';

  protected readonly forwards = ${both('forwards')};

  protected readonly backwards = ${both('backwards')};
}
`;
}

/** The line length of prettier, which `npm run lint` checks. */
const LINE_LENGTH = 110;

function comment(warnings: readonly string[]): string {
  const first = 'Written by "npm run migration:generate": read it, and say here what it is for.';
  if (warnings.length === 0) return `/** ${first} */`;
  return `/**\n * ${first}\n *\n${warnings.map((warning) => ` * ${warning}.\n`).join('')} */`;
}

function list(engine: string, statements: readonly string[]): string {
  const literals = statements.map(literal);
  const line = `    ${engine}: [${literals.join(', ')}],`;
  if (line.length <= LINE_LENGTH) return `${line}\n`;
  return `    ${engine}: [\n${literals.map((one) => `      ${one},\n`).join('')}    ],\n`;
}

/** A string literal in the quotes that occur less often in it. */
function literal(text: string): string {
  const quote = text.split("'").length > text.split('"').length ? '"' : "'";
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`);
  return `${quote}${inner}${quote}`;
}

const DECORATOR = /@Migrations\(([^)]*)\)/;

/**
 * Adds a migration to the `@Migrations` of a module's source. If the decorator is missing, it adds it and its import from `databaseApi`.
 * Undefined if there is no `@Module` to put it before.
 */
export function withMigration(
  module: string,
  name: string,
  path: string,
  databaseApi = '',
): string | undefined {
  const from = path.replace(/\.ts$/, '.js');
  const lines = [`import { ${classOf(name)} } from '${from.startsWith('.') ? from : `./${from}`}';\n`];
  let text = module.replaceAll('\r\n', '\n');
  if (!DECORATOR.test(text)) {
    text = text.replace(/^@Module\(/m, '@Migrations()\n@Module(');
    const others = new RegExp(
      `^import \\{([^}]+)\\} from '${databaseApi.replaceAll('.', String.raw`\.`)}';`,
      'm',
    );
    if (others.test(text)) text = text.replace(others, `import { Migrations,$1} from '${databaseApi}';`);
    else lines.unshift(`import { Migrations } from '${databaseApi}';\n`);
  }
  if (!DECORATOR.test(text)) return undefined;
  const end = text.indexOf(';\n', text.lastIndexOf('\nimport ')) + 2;
  return `${text.slice(0, end)}${lines.join('')}${text.slice(end)}`.replace(DECORATOR, (_, given: string) => {
    const names = [...given.split(',').flatMap((one) => one.trim() || []), classOf(name)];
    const line = `@Migrations(${names.join(', ')})`;
    return line.length <= LINE_LENGTH ? line : `@Migrations(\n${names.map((one) => `  ${one},\n`).join('')})`;
  });
}

const classOf = (name: string) =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const ADDED = /^ALTER TABLE `([^`]+)` ADD (?:COLUMN )?`([^`]+)` (.*)$/s;
const TEXT = /'(?:[^'\\]|\\.|'')*'/gs;
const FILLED = /\b(?:DEFAULT|AUTO_INCREMENT|AS)\b/;

/**
 * Sentences about columns for which existing rows have no value. These statements of MySQL add them as NOT NULL without a
 * default. SQLite rejects such a migration, and MySQL fills in '' or 0, which may be invalid in the domain.
 */
export function unfilledColumns(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => {
    const [, table, column, definition = ''] = ADDED.exec(statement) ?? [];
    const words = definition.replaceAll(TEXT, '');
    if (!words.includes('NOT NULL') || FILLED.test(words)) return [];
    return `${column} of ${table} is NOT NULL without a default, so existing rows need a value`;
  });
}
