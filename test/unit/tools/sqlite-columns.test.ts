import { TableColumn } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ComparingDataSource } from '../../../tools/migration/comparing-data-source.js';

describe('a column that a migration is to add to a table of SQLite', () => {
  let source: ComparingDataSource;
  beforeEach(async () => {
    source = new ComparingDataSource({ engine: 'sqlite', file: ':memory:' }, []);
    await source.initialize();
    source.open();
    // STRICT, because a copy that TypeORM makes is not.
    await source.query('CREATE TABLE bowls (id INTEGER PRIMARY KEY, size INTEGER NOT NULL) STRICT');
    await source.query('INSERT INTO bowls VALUES (1, 7)');
  });
  afterEach(() => source.destroy());

  const add = async (column: Partial<TableColumn>) => {
    const runner = source.createQueryRunner();
    await runner.addColumn('bowls', new TableColumn({ name: 'more', type: 'text', ...column }));
    await runner.release();
    const [{ sql }] = await source.query<[{ sql: string }]>(
      "SELECT sql FROM sqlite_master WHERE name = 'bowls'",
    );
    const [row] = await source.query<object[]>('SELECT * FROM bowls');
    return { isSameTable: sql.endsWith('STRICT'), row };
  };

  it.each<[string, Partial<TableColumn>, value: unknown]>([
    ['may be null', { isNullable: true }, null],
    ['may be null and has a text', { isNullable: true, default: `'none, or ''some'''` }, `none, or 'some'`],
    ['has a number', { type: 'integer', default: '-1' }, -1],
    ['has a decimal number', { type: 'real', default: '0.5' }, 0.5],
  ])('leaves the table as it is where it %s', async (_, column, more) => {
    expect(await add(column)).toEqual({ isSameTable: true, row: { id: 1, size: 7, more } });
  });

  it.each<[string, Partial<TableColumn>]>([
    ['has the time', { default: 'CURRENT_TIMESTAMP' }],
    ['has what a function returns', { isNullable: true, default: "lower('A')" }],
    ['is unique', { isNullable: true, isUnique: true }],
  ])('takes a copy of the table, with its rows, where it %s', async (_, column) => {
    const { isSameTable, row } = await add(column);
    expect(isSameTable).toBe(false);
    expect(row).toMatchObject({ id: 1, size: 7 });
  });
});
