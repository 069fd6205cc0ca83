import {
  EntitySchema,
  type EntitySchemaColumnOptions,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position, Selection, SortValue } from '../../src/kernel/page.js';
import { columns, type JoiningDataSource, keysetPage } from '../../src/platform/database/index.js';
import { tableOf } from '../support/create-table.js';
import { type Engine, onMySqlToo, type TestDatabase } from '../support/engines.js';
import { type CursorScope, decodeCursor, encodeCursor } from '../support/rooms/http.js';
import { openSource } from '../support/stores.js';

const ROWS = 20;

interface Row {
  readonly id: bigint;
  readonly held: SortValue;
}

interface Case {
  readonly column: EntitySchemaColumnOptions;
  /** The values in SQL, in any order. Some rows have none of them, but NULL. */
  readonly values: readonly string[];
  /** The kind by which a list is declared to be sorted; absent if no kind fits, so that only code pages through the list. */
  readonly kind?: CursorScope['kind'];
  /** Whether TypeORM offers the type on SQLite, too. */
  readonly onSqlite?: false;
  /** What a list that is sorted by the column is refused with. */
  readonly refused?: string;
  /** Whether a filter is refused as well. */
  readonly isFilterRefused?: true;
}

const quoted = (...values: string[]) => values.map((value) => `'${value}'`);
const TEXTS = quoted('', 'Ada', 'Bea B', 'Bea', 'Cid');
const DAYS = quoted('1969-12-31', '2026-01-31', '2026-02-01');
const DECIMALS = ['-10.50', '0.05', '9.99', '100.00'];
const INTEGERS = ['-3', '0', '7', '120'];
const DOUBLES = ['-1e300', '-0.1', '0.1', '0.30000000000000004', '1e-7', '123456789.12345678'];
/** On SQLite as the default of TypeORM's date columns writes them, and as TypeORM writes a `Date`. */
const INSTANTS = quoted(
  '2026-11-29 12:46:02',
  '2026-11-29 12:46:02.000',
  '2026-11-29 12:46:02.500',
  '2026-11-29 12:46:03',
  '2000-01-01 00:00:00.999',
);
const MICROSECONDS = quoted(
  '2026-11-29 12:46:02.123001',
  '2026-11-29 12:46:02.123456',
  '2026-11-29 12:46:02.123999',
  '2026-11-29 12:46:02.124000',
  '2026-11-29 12:46:03',
);
const TIMES = quoted('00:00:00', '09:30:00', '23:59:59');
const instants = (type: 'datetime' | 'timestamp', precision: number): Case => ({
  column: { type, precision },
  values: precision > 3 ? MICROSECONDS : INSTANTS,
  kind: 'instant',
  ...(precision > 3 && { onSqlite: false }),
});

const CASES: Readonly<Record<string, Case>> = {
  'columns.int64': {
    column: columns.int64(),
    values: ['-9223372036854775807', '0', '9223372036854775807'],
    kind: 'int64',
  },
  'columns.number': { column: columns.number(), values: INTEGERS, kind: 'int64' },
  'columns.instant': { column: columns.instant(), values: ['-1', '0', '1795956362123'], kind: 'instant' },
  'columns.decimal': { column: columns.decimal(10, 2), values: ['-1050', '5', '999'], kind: 'text' },
  'columns.day': { column: columns.day(), values: DAYS, kind: 'day' },
  'columns.boolean': { column: columns.boolean(), values: ['0', '1'] },
  'columns.text': { column: columns.text(20), values: TEXTS, kind: 'text' },
  'columns.word': { column: columns.word(20), values: TEXTS, kind: 'word' },
  tinyint: { column: { type: 'tinyint' }, values: INTEGERS, kind: 'int64' },
  smallint: { column: { type: 'smallint' }, values: INTEGERS, kind: 'int64' },
  mediumint: { column: { type: 'mediumint' }, values: INTEGERS, kind: 'int64' },
  int: { column: { type: 'int' }, values: INTEGERS, kind: 'int64' },
  Number: { column: { type: Number }, values: INTEGERS, kind: 'int64' },
  bigint: {
    column: { type: 'bigint' },
    values: ['-9223372036854775807', '9007199254740993', '9223372036854775806', '9223372036854775807'],
    kind: 'int64',
  },
  'unsigned bigint': {
    column: { type: 'bigint', unsigned: true },
    values: ['0', '9223372036854775807', '18446744073709551614', '18446744073709551615'],
    onSqlite: false,
  },
  decimal: { column: { type: 'decimal', precision: 10, scale: 2 }, values: DECIMALS, kind: 'text' },
  'decimal without precision': { column: { type: 'decimal' }, values: INTEGERS, kind: 'text' },
  double: { column: { type: 'double' }, values: DOUBLES },
  boolean: { column: { type: 'boolean' }, values: ['0', '1'] },
  Boolean: { column: { type: Boolean }, values: ['0', '1'] },
  date: { column: { type: 'date' }, values: DAYS, kind: 'day' },
  time: { column: { type: 'time' }, values: TIMES, kind: 'word' },
  'time(6)': {
    column: { type: 'time', precision: 6 },
    values: quoted('09:30:00.000000', '09:30:00.000001', '09:30:00.500000'),
    kind: 'word',
  },
  datetime: { column: { type: 'datetime' }, values: INSTANTS, kind: 'instant' },
  Date: { column: { type: Date }, values: INSTANTS, kind: 'instant' },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].flatMap((precision) =>
      (['datetime', 'timestamp'] as const).map((type) => [
        `${type}(${precision})`,
        instants(type, precision),
      ]),
    ),
  ),
  year: { column: { type: 'year' }, values: ['1999', '2026', '2155'], kind: 'int64' },
  char: { column: { type: 'char', length: 8 }, values: TEXTS, kind: 'text' },
  varchar: { column: { type: 'varchar', length: 20 }, values: TEXTS, kind: 'text' },
  String: { column: { type: String }, values: TEXTS, kind: 'text' },
  text: { column: { type: 'text' }, values: TEXTS, kind: 'text' },
  uuid: { column: { type: 'uuid' }, values: TEXTS, kind: 'word' },
};

/** The types whose values are not found again by what was read, and what to use instead. Filters by some of them are exact. */
const REFUSED: Readonly<Record<string, Case & { readonly instead: string; readonly isFiltered?: true }>> = {
  'long decimal': {
    column: { type: 'decimal', precision: 20, scale: 2 },
    values: ['12345678901234567.01', '12345678901234567.02'],
    onSqlite: false,
    instead: 'decimal of 20 digits. Use columns.decimal.',
  },
  enum: {
    column: { type: 'enum', enum: ['small', 'large'] },
    values: quoted('small', 'large'),
    instead: 'enum. Use columns.word.',
    isFiltered: true,
  },
  'simple-enum': {
    column: { type: 'simple-enum', enum: ['small', 'large'] },
    values: quoted('small', 'large'),
    instead: 'simple-enum. Use columns.word.',
    isFiltered: true,
  },
  'simple-array': {
    column: { type: 'simple-array' },
    values: quoted('a', 'a,b'),
    instead: 'simple-array. Use another column.',
  },
  json: { column: { type: 'json' }, values: quoted('[1]', '{}'), instead: 'json. Use another column.' },
  'simple-json': {
    column: { type: 'simple-json' },
    values: quoted('[1]', '{}'),
    instead: 'simple-json. Use another column.',
  },
  blob: { column: { type: 'blob' }, values: ["X'00'", "X'01'"], instead: 'blob. Use another column.' },
  binary: {
    column: { type: 'binary', length: 2 },
    values: ["X'0000'", "X'0001'"],
    instead: 'binary. Use another column.',
  },
};

/** The names of the classes and of the tables differ by a number. */
const entityOf = ({ column }: Case, i: number) =>
  new EntitySchema<Row>({
    name: `Kind${i}`,
    tableName: `kinds_${i}`,
    columns: { id: columns.int64({ primary: true }), held: { ...column, nullable: true } },
  });

describe('a list that is sorted and filtered by a column of any type', () =>
  onMySqlToo((engine) => {
    const isOffered = ([, { onSqlite }]: [string, Case]) => engine.name !== 'SQLite' || onSqlite !== false;
    const [cases, refused] = [
      Object.entries(CASES).filter(isOffered),
      Object.entries(REFUSED).filter(isOffered),
    ];
    const listOf = listsOf(
      engine,
      [...cases, ...refused].map(([, one]) => one),
    );
    for (const [name, one] of cases)
      describe(name, () => {
        const list = listOf(one);
        it('has each item once and in order', async () => {
          for (const descending of [false, true]) {
            const sort = { by: 'held', descending };
            const order = descending ? 'DESC' : 'ASC';
            const expected = await list.ids(`ORDER BY held ${order}, id ${order}`);
            expect(await list.pages({ sort, limit: 3 })).toEqual(expected);
            expect(await list.pages({ sort, limit: 3 }, one.kind)).toEqual(expected);
          }
        });

        it('is filtered by the values that it has', async () => {
          const all = await list.read({ sort: { by: 'held', descending: false }, limit: ROWS });
          const values = all.filter(({ held }) => held !== null && held !== undefined);
          const expected = (given: SortValue[]) =>
            all
              .filter(({ held }) => given.some((value) => isEqual(value, held)))
              .map(({ id }) => id)
              .toSorted();
          const found = async (held: SortValue | SortValue[]) =>
            (await list.read({ filter: { held }, limit: ROWS })).map(({ id }) => id).toSorted();
          for (const { held } of values) expect(await found(held)).toEqual(expected([held]));
          const several = [values[0]!.held, values.at(-1)!.held];
          expect(await found(several)).toEqual(expected(several));
        });

        it('has the items of a range', async () => {
          const all = await list.read({ sort: { by: 'held', descending: false }, limit: ROWS });
          const values = all.filter(({ held }) => held !== null && held !== undefined);
          const firstOf = (value: SortValue) => values.findIndex(({ held }) => isEqual(held, value));
          for (const { held } of values)
            for (const descending of [false, true]) {
              const sort = { by: 'held', descending };
              const inOrder = (rows: Row[]) =>
                (descending ? rows.toReversed() : rows).map(({ id }) => Number(id));
              const pages = (range: object) => list.pages({ sort, range, limit: 3 }, one.kind);
              expect(await pages({ from: held })).toEqual(inOrder(values.slice(firstOf(held))));
              expect(await pages({ before: held })).toEqual(inOrder(values.slice(0, firstOf(held))));
            }
        });
      });

    for (const [name, one] of refused)
      describe(name, () => {
        const list = listOf(one);
        it('is refused, and the error says what to use', async () => {
          const sorted = list.read({ sort: { by: 'held', descending: false }, limit: 3 });
          await expect(sorted).rejects.toThrow(rejection('sorted', one.instead));
          const held = one.isFiltered ? 'large' : 0;
          const filtered = list.read({ filter: { held }, limit: 20 });
          if (one.isFiltered) expect(await filtered).toHaveLength(7);
          else await expect(filtered).rejects.toThrow(rejection('filtered', one.instead));
        });
      });
  }));

/** SQLite has every enum in a column of the type `simple-enum`. */
const rejection = (use: string, instead: string) =>
  new RegExp(
    `^A list cannot be ${use} by Kind\\d+\\.held, of the type (?:simple-)?${instead.replaceAll('.', '\\.')}$`,
  );

const isEqual = (one: SortValue, other: SortValue) =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

/** A database with a table for each column and its rows. @returns the list of a column, and its pages */
function listsOf(engine: Engine, cases: readonly Case[]) {
  const entities = cases.map(entityOf);
  class CreateKinds implements MigrationInterface {
    readonly name = 'CreateKinds1900000000000';

    async up(runner: QueryRunner): Promise<void> {
      for (const entity of entities) await runner.createTable(tableOf(runner, entity));
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const { options } of entities) await runner.dropTable(options.tableName!);
    }
  }
  let database: TestDatabase;
  let source: JoiningDataSource;
  beforeAll(async () => {
    database = await engine.create();
    source = await openSource(database.url, { migrations: [CreateKinds], schemas: entities });
    await database.execute(...cases.map(insertionOf));
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  return (one: Case) => {
    const entity = entities[cases.indexOf(one)]!;
    const page = (selection: Selection<object>) =>
      keysetPage(source.getRepository(entity).createQueryBuilder('kind'), selection);
    return {
      /** The ids that a statement finds. */
      ids: async (rest: string) => {
        const rows = await database.query(`SELECT id FROM ${entity.options.tableName} ${rest}`);
        return rows.map(({ id }) => Number(id));
      },
      read: async (selection: Selection<object>) => [...(await page(selection)).items],
      /** The ids of all pages. With a kind, the position goes through the cursor that a client sends back. */
      pages: async (selection: Selection<object>, kind?: CursorScope['kind']) => {
        const ids: number[] = [];
        let after: Position | undefined;
        do {
          const { items, next } = await page({ ...selection, after });
          ids.push(...items.map(({ id }) => Number(id)));
          const scope = { list: '/kinds', filter: '', kind };
          after = kind && next ? decodeCursor(encodeCursor(scope, next), scope) : next;
        } while (after !== undefined && ids.length <= 2 * ROWS);
        return ids;
      },
    };
  };
}

function insertionOf({ values }: Case, i: number): string {
  const held = [...values, 'NULL'];
  const rows = Array.from({ length: ROWS }, (_, n) => `(${((n * 7) % ROWS) + 1}, ${held[n % held.length]})`);
  return `INSERT INTO kinds_${i} (id, held) VALUES ${rows.join(', ')}`;
}
