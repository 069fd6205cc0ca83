import type { Difference } from './schema-difference.js';

/** The column types that a STRICT table allows. */
const STRICT_TYPE = /^"\w+" (?:integer|int|text|real|blob|any)\b/i;

/** Makes the table of a CREATE statement STRICT if possible: TypeORM does not support STRICT tables of SQLite. */
export function strict(statement: string): string {
  const [, columns, end = ''] = /^CREATE TABLE "\w+" \((.*)\)( WITHOUT ROWID)?$/s.exec(statement) ?? [];
  const definitions = columns?.split(/, (?="\w+" )/) ?? [];
  if (definitions.length === 0 || !definitions.every((definition) => STRICT_TYPE.test(definition)))
    return statement;
  return `${statement.slice(0, statement.length - end.length)} STRICT${end && `,${end}`}`;
}

/** The text of a migration, not formatted yet. `name` in kebab case, `now` in milliseconds since 1970, `imports` the path to `SqlMigration`. */
export function migrationSource(
  name: string,
  now: number,
  imports: string,
  { sqlite, mysql }: Record<'sqlite' | 'mysql', Difference>,
): string {
  const both = (direction: keyof Difference) =>
    JSON.stringify({ sqlite: sqlite[direction], mysql: mysql[direction] }, undefined, 2);
  return `import { SqlMigration } from '${imports}/sql-migration.js';

/** Written by "petstore db generate": read it, and say here what it is for. */
export class ${classOf(name)} extends SqlMigration {
  readonly name = '${classOf(name)}${now}';

  protected readonly forwards = ${both('forwards')};

  protected readonly backwards = ${both('backwards')};
}
`;
}

const DECORATOR = /@Migrations\(([^)]*)\)/;

/**
 * Adds a migration to the `@Migrations` of a module's source, which is added if it is missing: then `imports` is the path to
 * it. Undefined if there is no `@Module` to put it before.
 */
export function withMigration(module: string, name: string, path: string, imports = ''): string | undefined {
  const from = path.replace(/\.ts$/, '.js');
  const lines = [`import { ${classOf(name)} } from '${from.startsWith('.') ? from : `./${from}`}';\n`];
  let text = module;
  if (!DECORATOR.test(text)) {
    text = text.replace(/^@Module\(/m, '@Migrations()\n@Module(');
    lines.unshift(`import { Migrations } from '${imports}/migrations.decorator.js';\n`);
  }
  if (!DECORATOR.test(text)) return undefined;
  const end = text.indexOf(';\n', text.lastIndexOf('\nimport ')) + 2;
  return `${text.slice(0, end)}${lines.join('')}${text.slice(end)}`.replace(DECORATOR, (_, given: string) => {
    const others = given.trim().replace(/,$/, '');
    return `@Migrations(${others && `${others}, `}${classOf(name)})`;
  });
}

const classOf = (name: string) =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
