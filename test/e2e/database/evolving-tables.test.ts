import { EntitySchema, type EntitySchemaColumnOptions, type QueryRunner } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mariaDb, mySql, onMySqlToo } from '../../support/engines.js';
import { type Columns, EvolvingDatabase, owner, table } from '../../support/evolving-database.js';

const dog = table(
  'dog',
  {},
  { relations: { owner: { type: 'many-to-one', target: 'owner', onDelete: 'CASCADE' } } },
);

/** Columns before and after a change, and a value in them. */
const CHANGES: Readonly<
  Record<
    string,
    readonly [from: EntitySchemaColumnOptions, to: EntitySchemaColumnOptions, value: string | number]
  >
> = {
  longerWithoutIndex: [
    { type: 'varchar', length: 20, unique: true },
    { type: 'varchar', length: 30 },
    'a text',
  ],
  longerWithDefault: [
    { type: 'varchar', length: 20, default: 'brown' },
    { type: 'varchar', length: 30, default: '' },
    'a text',
  ],
  longerWithIndex: [{ type: 'varchar', length: 20 }, { type: 'varchar', length: 30, unique: true }, 'a text'],
  moreOfAnEnum: [
    { type: 'simple-enum', enum: ['red', 'light (blue)'] },
    { type: 'simple-enum', enum: ['red', 'light (blue)', 'green'], default: 'green' },
    'red',
  ],
  wider: [{ type: 'int' }, { type: 'bigint' }, 12],
  anotherKind: [{ type: 'int' }, { type: 'varchar', length: 20 }, 12],
  newDefault: [{ type: 'varchar', length: 20 }, { type: 'varchar', length: 20, default: 'brown' }, 'a text'],
  noDefault: [{ type: 'varchar', length: 20, default: 'brown' }, { type: 'varchar', length: 20 }, 'a text'],
  noNumber: [{ type: 'int', default: -7 }, { type: 'int' }, 12],
  noTime: [
    { type: 'datetime', default: () => 'CURRENT_TIMESTAMP' },
    { type: 'datetime' },
    '2026-01-02 03:04:05',
  ],
};

describe('a database whose tables change', () =>
  onMySqlToo((engine) => {
    let tables: EvolvingDatabase;
    beforeEach(async () => void (tables = await EvolvingDatabase.create(engine)));
    afterEach(() => tables.database.drop());
    const rows = (of: string) => tables.database.query(`SELECT * FROM ${of} ORDER BY id`);

    describe('with columns that change', () => {
      it('keeps the values of these columns, in both directions', async () => {
        const columns = (which: 0 | 1) =>
          Object.fromEntries(Object.entries(CHANGES).map(([name, kind]) => [name, kind[which]]));
        const [before, after] = [table('bowl', columns(0)), table('bowl', columns(1))];
        await tables.become(before);
        expect((await tables.differenceTo(before)).forwards).toEqual([]);
        const values = Object.values(CHANGES).map(([, , value]) => `'${value}'`);
        await tables.database.execute(
          `INSERT INTO bowl (id, ${Object.keys(CHANGES).join()}) VALUES (1, ${values.join()})`,
        );
        const texts = async () =>
          Object.entries((await rows('bowl'))[0]!).map(([name, value]) => `${name} ${String(value)}`);
        const held = await texts();
        await tables.become(after);
        expect((await texts()).toSorted()).toEqual(held.toSorted());
        expect((await tables.differenceTo(after)).forwards).toEqual([]);
        await tables.revert();
        expect((await texts()).toSorted()).toEqual(held.toSorted());
        tables.migrations.pop();
        expect((await tables.differenceTo(before)).forwards).toEqual([]);
      });

      it('keeps rows, and the rows that refer to them, when their key gets a wider type', async () => {
        const owners = (type: 'int' | 'bigint') =>
          new EntitySchema({
            name: 'owner',
            columns: { id: { type, primary: true, generated: true }, name: { type: 'varchar' } },
          });
        await tables.become(owners('int'), dog);
        await tables.database.execute(
          "INSERT INTO owner (id, name) VALUES (1, 'Ann')",
          'INSERT INTO dog (id, ownerId) VALUES (7, 1)',
        );
        const expectRows = async () => {
          expect(await rows('owner')).toEqual([{ id: 1, name: 'Ann' }]);
          expect(await rows('dog')).toEqual([{ id: 7, ownerId: 1 }]);
        };
        await tables.become(owners('bigint'), dog);
        await expectRows();
        expect((await tables.differenceTo(owners('bigint'), dog)).forwards).toEqual([]);
        await tables.revert();
        await expectRows();
      });
    });

    // On SQLite a migration is one transaction, so an interrupted one leaves nothing behind.
    const cutOff = () => {
      it('skips a foreign key that exists already', async () => {
        const found = await tables.differenceTo(owner(), dog);
        await tables.database.execute(...found.forwards);
        tables.add(found);
        expect(await tables.migrate()).toHaveLength(1);
        expect((await tables.differenceTo(owner(), dog)).forwards).toEqual([]);
      });

      it('skips a column that has its new name already, but not a column that does not exist', async () => {
        const bowl = (column: string) => table('bowl', { [column]: { type: 'int' } });
        await tables.become(bowl('size'));
        const found = await tables.differenceTo(bowl('width'));
        expect(found.forwards.join()).toContain('CHANGE `size` `width`');
        await tables.database.execute(...found.forwards);
        tables.add(found);
        expect(await tables.migrate()).toHaveLength(1);
        await tables.database.execute('ALTER TABLE bowl DROP COLUMN width');
        tables.add(found);
        await expect(tables.migrate()).rejects.toThrow(
          /^ER_BAD_FIELD_ERROR .* from ALTER TABLE `bowl` CHANGE/,
        );
      });
    };
    if (engine.name !== 'SQLite') describe('with a migration that was cut off', cutOff);

    if (engine === mySql) return;

    describe('with rows that refer to others', () => {
      const note: Columns = { note: { type: 'varchar', length: 20, nullable: true } };
      const keep = async () => {
        await tables.database.execute("INSERT INTO owner (id, name) VALUES (1, 'Ann')");
        await tables.database.execute('INSERT INTO dog (id, ownerId) VALUES (7, 1)');
      };
      /** A row that refers to no owner is rejected, and deleting an owner deletes the rows that refer to it. */
      const expectForeignKey = async () => {
        const [[row], dogs] = [await rows('owner'), await rows('dog')];
        expect([row, dogs]).toEqual([
          expect.objectContaining({ id: 1, name: 'Ann' }),
          [{ id: 7, ownerId: 1 }],
        ]);
        await tables.with([owner(), dog], async (source) => {
          source.open();
          await expect(source.query('INSERT INTO dog (id, ownerId) VALUES (8, 2)')).rejects.toThrow(
            /FOREIGN|REFERENCED/,
          );
          await source.query('DELETE FROM owner');
        });
        expect(await rows('dog')).toEqual([]);
      };

      it.each([
        ['gets a column back', owner(note), owner()],
        ['loses a column again', owner(), owner(note)],
      ])('keeps these rows when the referenced table %s', async (_, before, after) => {
        await tables.become(before, dog);
        await keep();
        await tables.become(after, dog);
        await tables.revert();
        await expectForeignKey();
        expect((await tables.differenceTo(before, dog)).forwards).toEqual([]);
      });

      it('keeps the references when the referenced table gets another name', async () => {
        await tables.become(owner(), dog);
        await keep();
        tables.add({
          forwards: ['ALTER TABLE owner RENAME TO keeper'],
          backwards: ['ALTER TABLE keeper RENAME TO owner'],
        });
        await tables.migrate();
        await tables.database.execute(
          "INSERT INTO keeper (id, name) VALUES (2, 'Bob')",
          'INSERT INTO dog (id, ownerId) VALUES (9, 2)',
        );
        await tables.database.execute('DELETE FROM dog WHERE id = 9');
        await tables.database.execute('DELETE FROM keeper WHERE id = 2');
        await tables.revert();
        await expectForeignKey();
      });
    });

    if (engine === mariaDb)
      it('waits for a migration of TypeORM’s own kind as long as it runs', async () => {
        // 40 short sleeps: interrupting a single SLEEP is not an error.
        const forty = '(SELECT 1 FROM information_schema.collations LIMIT 40) AS forty';
        tables.migrations.push(
          class {
            readonly name = 'Slow1899999999999';
            up = (runner: QueryRunner) => runner.query(`SELECT SUM(SLEEP(0.1)) FROM ${forty}`);
            down = () => Promise.resolve();
          },
        );
        expect(await tables.migrate()).toEqual(['Slow1899999999999']);
        await tables.revert();
      });
  }));
