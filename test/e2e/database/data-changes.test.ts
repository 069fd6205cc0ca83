import type { EntitySchema } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../../src/platform/config/database-url.js';
import { ComparingDataSource } from '../../../tools/migration/comparing-data-source.js';
import { abandonedTables, changedColumns } from '../../../tools/migration/data-changes.js';
import { mariaDb, sqlite } from '../../support/engines.js';
import { type Columns, EvolvingDatabase, table } from '../../support/evolving-database.js';

const ALONE = 'To rename a column, write a migration that changes nothing else in its table.';

describe.skipIf(!mariaDb.installed)('before a migration is written, the generator reports', () => {
  let databases: EvolvingDatabase[];
  beforeEach(async () => {
    databases = await Promise.all([sqlite, mariaDb].map((engine) => EvolvingDatabase.create(engine)));
  });
  afterEach(() => Promise.all(databases.map(({ database }) => database.drop())));

  const bowl = (columns: Columns) => table('bowl', columns);
  const size = { type: 'int' } as const;
  const note = { type: 'varchar', length: 20, nullable: true } as const;

  const told = async (before: EntitySchema, after: EntitySchema) => {
    for (const one of databases) await one.become(before);
    const [onSqlite, onMySql] = await Promise.all(databases.map((one) => one.differenceTo(after)));
    return changedColumns(onSqlite!, onMySql!);
  };

  it.each<[string, Columns, Columns, string[]]>([
    ['nothing for an added column', { size }, { size, note }, []],
    ['a dropped column', { size, note }, { size }, ['note of bowl is dropped, with what is in it.', ALONE]],
    [
      'a renamed column',
      { size, note },
      { width: size, note },
      ['size of bowl becomes width, with what is in it.'],
    ],
    [
      'a column that is renamed and also changed',
      { size, note },
      { width: { type: 'int', nullable: true }, note: { ...note, nullable: false } },
      ['size of bowl is dropped, with what is in it.', ALONE],
    ],
    [
      'nothing for computed columns',
      { size, area: { type: 'int', asExpression: 'size * 2', generatedType: 'STORED' } },
      { size },
      [],
    ],
  ])('%s', async (_, before, after, sentences) => {
    expect(await told(bowl(before), bowl(after))).toEqual(sentences);
  });

  it('that the engines differ, and how each of them changes the rows', async () => {
    await expect(
      told(bowl({ size, paws: size }), bowl({ width: size, paws: { type: 'bigint' } })),
    ).rejects.toThrow(
      `On SQLite size of bowl becomes width, with what is in it. On MySQL size of bowl is dropped, with what is in it. ${ALONE}`,
    );
  });

  it('that a table with a new name begins without the rows', async () => {
    const [, mysql] = databases;
    await mysql!.become(bowl({ size }));
    const entities = [table('dish', { size }), table('plate', { size, note })];
    const source = new ComparingDataSource(parseDatabaseUrl(mysql!.database.url), entities);
    await source.initialize();
    try {
      expect(await abandonedTables(source, await mysql!.differenceTo(...entities))).toEqual([
        'dish is created without rows, and bowl stays with its rows. To keep the rows, write ALTER TABLE bowl RENAME TO dish instead.',
      ]);
    } finally {
      await source.destroy();
    }
  });
});
