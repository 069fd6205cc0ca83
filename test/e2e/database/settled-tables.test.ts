import { EntitySchema } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onMySqlToo, sqlite } from '../../support/engines.js';
import { differenceAt, EvolvingDatabase, owner, table } from '../../support/evolving-database.js';

describe('a comparison of migrated tables with their entities', () =>
  onMySqlToo((engine) => {
    let tables: EvolvingDatabase;
    beforeEach(async () => void (tables = await EvolvingDatabase.create(engine)));
    afterEach(() => tables.database.drop());
    const rows = (of: string) => tables.database.query(`SELECT * FROM ${of} ORDER BY id`);

    /** After a migration every table can be read, and another migration would change nothing. */
    const expectSettled = async (...entities: EntitySchema[]) => {
      expect((await tables.differenceTo(...entities)).forwards).toEqual([]);
      await tables.with(entities, async (source) => {
        source.open();
        for (const { target } of source.entityMetadatas) await source.getRepository(target).find();
      });
    };

    it('finds no difference in views and computed columns, also in a database of another name', async () => {
      const names = (column: string) =>
        new EntitySchema({
          name: 'names',
          type: 'view',
          columns: { name: { type: 'varchar' } },
          expression: `SELECT ${column} AS name FROM owner WHERE name <> 'it''s ?'`,
        });
      const box = (of: string) =>
        table('box', {
          width: { type: 'int' },
          area: { type: 'int', asExpression: of, generatedType: 'STORED', nullable: true },
          edge: { type: 'int', asExpression: `4 * ${of}`, generatedType: 'STORED' },
          half: { type: 'int', asExpression: 'width / 2', generatedType: 'VIRTUAL' },
        });
      const found = await tables.become(owner(), names('name'), box('width * 2'));
      const here = /\/(\w+)$/.exec(tables.database.url)?.[1];
      for (const statement of [...found.forwards, ...found.backwards])
        expect(statement).not.toContain(here ?? 'typeorm_metadata" WHERE ?');
      await expectSettled(owner(), names('name'), box('width * 2'));
      await tables.database.execute(
        "INSERT INTO owner (id, name) VALUES (1, 'Ann')",
        'INSERT INTO box (id, width) VALUES (1, 4)',
      );
      await tables.become(owner(), names('UPPER(name)'), box('width * 2'));
      expect(await tables.database.query('SELECT * FROM names')).toEqual([{ name: 'ANN' }]);
      expect(await rows('box')).toEqual([{ id: 1, width: 4, area: 8, edge: 32, half: 2 }]);
      await expectSettled(owner(), names('UPPER(name)'), box('width * 2'));
      await tables.revert();
      expect(await tables.database.query('SELECT * FROM names')).toEqual([{ name: 'Ann' }]);
    });

    it('finds no difference in checks', async () => {
      const checked = (...expressions: string[]) =>
        table(
          'bowl',
          { size: { type: 'int' }, left: { type: 'int', default: 1 } },
          { checks: expressions.map((expression) => ({ name: `is ${expression}`, expression })) },
        );
      await tables.become(checked('size > 0', '(size < 9) or (size > 10)'));
      await expectSettled(checked('size > 0', '(size < 9) or (size > 10)'));
    });

    it('finds what one module lacks, together with the tables of other modules that it refers to', async () => {
      const dog = table('dog', {}, { relations: { owner: { type: 'many-to-one', target: 'owner' } } });
      const names = new EntitySchema({
        name: 'names',
        type: 'view',
        columns: { name: { type: 'varchar' } },
        expression: 'SELECT name FROM owner',
      });
      const lacking = (...only: string[]) => differenceAt(tables.database.url, [owner(), names, dog], only);
      expect((await lacking('owner')).forwards).toEqual([expect.stringMatching(/^CREATE TABLE .owner./)]);
      expect((await lacking('dog')).forwards.join()).toMatch(/^CREATE TABLE .dog..*REFERENCES .owner./);
      await tables.become(owner(), names);
      const found = await lacking('dog');
      expect(
        [...found.forwards, ...found.backwards].filter((statement) => statement.includes('names')),
      ).toEqual([]);
      expect(await lacking('owner', 'names')).toEqual({ forwards: [], backwards: [] });
    });

    if (engine !== sqlite)
      it('finds a default that a column has lost, and keeps the rest of the column', async () => {
        const bowl = table('bowl', {
          seen: { type: 'datetime', default: () => 'CURRENT_TIMESTAMP', onUpdate: 'CURRENT_TIMESTAMP' },
          colour: { type: 'varchar', length: 9, default: 'brown' },
        });
        await tables.become(bowl);
        await expectSettled(bowl);
        await tables.database.execute(
          'ALTER TABLE bowl MODIFY seen datetime NOT NULL, MODIFY colour varchar(9) NOT NULL',
        );
        await tables.database.execute(...(await tables.differenceTo(bowl)).forwards);
        await expectSettled(bowl);
      });
  }));
