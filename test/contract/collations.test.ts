import { EntitySchema } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { columns, SqlMigration } from '../../src/platform/database/index.js';
import { mariaDb, mySql, onEveryEngine, onMySqlToo } from '../support/engines.js';
import { EvolvingDatabase, table } from '../support/evolving-database.js';

const varchar = { type: 'varchar', length: 20 } as const;
const BIN = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** Converts a column that an older migration has made, and the column that refers to it. */
class CompareBreedsExactly extends SqlMigration {
  readonly name = 'CompareBreedsExactly1899999999999';

  protected readonly forwards = {
    sqlite: [],
    mysql: [
      'UPDATE dogs JOIN breeds ON breeds.code = dogs.breed_code SET dogs.breed_code = breeds.code',
      'ALTER TABLE dogs DROP FOREIGN KEY dogs_breed',
      'ALTER TABLE breeds MODIFY code VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
      'ALTER TABLE dogs MODIFY breed_code VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
      'ALTER TABLE dogs ADD CONSTRAINT dogs_breed FOREIGN KEY (breed_code) REFERENCES breeds (code) ON DELETE NO ACTION ON UPDATE NO ACTION',
    ],
  };

  /** The columns stay as they are, because texts may be stored by now that were equal before. */
  protected readonly backwards = [];
}

/** A column with each type of text, of which none names a collation. */
const texts = table('texts', {
  aVarchar: { ...varchar, unique: true },
  aChar: { type: 'char', length: 9 },
  aText: { type: 'text' },
  anArray: { type: 'simple-array' },
  aUuid: { type: 'uuid' },
  anEnum: { type: 'enum', enum: ['red', 'RED'], default: 'red' },
});

describe('text columns that name no collation, in tables of generated migrations', () =>
  onMySqlToo((engine) => {
    let tables: EvolvingDatabase;
    beforeEach(async () => void (tables = await EvolvingDatabase.create(engine)));
    afterEach(() => tables.database.drop());

    it('compare texts exactly on each engine', async () => {
      await tables.become(texts);
      expect((await tables.differenceTo(texts)).forwards).toEqual([]);
      await tables.with([texts], async (source) => {
        source.open();
        const rows = source.getRepository('texts');
        const row = (id: number, name: string, anEnum: string) =>
          ({ id, aVarchar: name, aChar: name, aText: name, anArray: [name], aUuid: name, anEnum }) as object;
        await rows.insert([row(1, 'Rex', 'RED'), row(2, 'rex', 'red'), row(3, 'réx', 'red')]);
        for (const column of ['aVarchar', 'aChar', 'aText', 'anArray', 'aUuid']) {
          const held = column === 'anArray' ? ['rex'] : 'rex';
          expect(await rows.findBy({ [column]: held })).toMatchObject([{ id: 2 }]);
        }
        expect(await rows.findBy({ anEnum: 'RED' })).toMatchObject([{ id: 1 }]);
        await expect(rows.insert(row(4, 'rex', 'red'))).rejects.toThrow(/rex|UNIQUE|aVarchar|twice|exists/);
      });
    });
  }));

describe('the collations of columns on a server', () =>
  onEveryEngine(
    (engine) => {
      let tables: EvolvingDatabase;
      beforeEach(async () => void (tables = await EvolvingDatabase.create(engine)));
      afterEach(() => tables.database.drop());

      const create = (name: string, column: string) =>
        `CREATE TABLE ${name} (id INT NOT NULL PRIMARY KEY, ${column}) ENGINE = InnoDB`;
      const collationsOf = async (name: string) =>
        Object.fromEntries(
          (
            await tables.database.query(
              `SELECT column_name AS col, collation_name AS held FROM information_schema.columns
               WHERE table_schema = DATABASE() AND table_name = '${name}' AND collation_name IS NOT NULL`,
            )
          ).map(({ col, held }) => [col, held]),
        ) as Record<string, string>;

      it('are named in the migration of a new column, unless the column names its own', async () => {
        const own = table('own', {
          plain: { ...varchar },
          german: { ...varchar, charset: 'latin1', collation: 'latin1_german1_ci' },
          swedish: { ...varchar, charset: 'latin1' },
          kind: { type: 'enum', enum: ['a', 'b'] },
          computed: { ...varchar, asExpression: "concat(plain, '!')", nullable: true },
          word: columns.word(9),
        });
        const { forwards } = await tables.become(own);
        expect(forwards.find((text) => text.startsWith('CREATE TABLE `own`'))).toContain(
          `\`plain\` varchar(20) ${BIN} NOT NULL`,
        );
        expect(await collationsOf('own')).toEqual({
          plain: 'utf8mb4_bin',
          german: 'latin1_german1_ci',
          swedish: 'latin1_swedish_ci',
          kind: 'utf8mb4_bin',
          computed: 'utf8mb4_bin',
          word: 'ascii_bin',
        });
        expect((await tables.differenceTo(own)).forwards).toEqual([]);
      });

      it('stay as an older migration has made them, also if the column changes', async () => {
        await tables.database.execute(create('pet', 'name VARCHAR(20) NOT NULL'));
        const [{ name: before }] = [await collationsOf('pet')];
        expect(before).not.toBe('utf8mb4_bin');
        const pet = (length: number) => table('pet', { name: { type: 'varchar', length } });
        expect((await tables.differenceTo(pet(20))).forwards).toEqual([]);
        const { forwards, backwards } = await tables.become(pet(30));
        expect([...forwards, ...backwards].join()).not.toMatch(/COLLATE|CHARACTER SET/);
        expect(await collationsOf('pet')).toEqual({ name: before });
        await tables.revert();
        expect(await collationsOf('pet')).toEqual({ name: before });
      });

      it('stay exact if a column of a generated migration changes', async () => {
        const pet = (length: number) => table('pet', { name: { type: 'varchar', length } });
        await tables.become(pet(20));
        await tables.become(pet(30));
        expect(await collationsOf('pet')).toEqual({ name: 'utf8mb4_bin' });
        await tables.revert();
        expect(await collationsOf('pet')).toEqual({ name: 'utf8mb4_bin' });
      });

      it('become exact if the column becomes a text', async () => {
        await tables.become(table('pet', { name: { type: 'int' } }));
        await tables.become(table('pet', { name: { type: 'varchar', length: 20 } }));
        expect(await collationsOf('pet')).toEqual({ name: 'utf8mb4_bin' });
      });

      it('differ if a column that exists names another one', async () => {
        await tables.database.execute(create('pet', 'name VARCHAR(20) NOT NULL'));
        const pet = table('pet', { name: columns.text(20) });
        expect((await tables.differenceTo(pet)).forwards.join()).toContain(BIN);
        await tables.become(pet);
        expect(await collationsOf('pet')).toEqual({ name: 'utf8mb4_bin' });
        expect((await tables.differenceTo(pet)).forwards).toEqual([]);
      });

      const breeds = new EntitySchema({ name: 'breed', columns: { code: { ...varchar, primary: true } } });
      const dogs = table(
        'dog',
        {},
        {
          relations: {
            breed: { type: 'many-to-one', target: 'breed', nullable: false },
            other: { type: 'many-to-many', target: 'breed', joinTable: true },
          },
        },
      );
      const createBreeds = 'CREATE TABLE breed (code VARCHAR(20) NOT NULL PRIMARY KEY) ENGINE = InnoDB';

      it('are exact at both ends of a new foreign key', async () => {
        await tables.become(breeds, dogs);
        expect((await collationsOf('dog'))['breedCode']).toBe('utf8mb4_bin');
        expect((await tables.differenceTo(breeds, dogs)).forwards).toEqual([]);
      });

      it('are the same as in a referenced column that an older migration has made', async () => {
        await tables.database.execute(createBreeds);
        const { code } = await collationsOf('breed');
        await tables.become(breeds, dogs);
        expect((await collationsOf('dog'))['breedCode']).toBe(code);
        expect((await tables.differenceTo(breeds, dogs)).forwards).toEqual([]);
      });

      it('become exact by a migration that converts both ends of a foreign key, also if it is cut off', async () => {
        const breed = new EntitySchema<{ code: string }>({
          name: 'breed',
          tableName: 'breeds',
          columns: { code: { ...varchar, primary: true } },
        });
        const dog = new EntitySchema<{ id: number; breed: object }>({
          name: 'dog',
          tableName: 'dogs',
          columns: { id: { type: 'int', primary: true } },
          relations: {
            breed: {
              type: 'many-to-one',
              target: 'breed',
              nullable: false,
              joinColumn: { name: 'breed_code', foreignKeyConstraintName: 'dogs_breed' },
            },
          },
        });
        await tables.database.execute(
          'CREATE TABLE breeds (code VARCHAR(20) NOT NULL PRIMARY KEY) ENGINE = InnoDB',
          create(
            'dogs',
            'breed_code VARCHAR(20) NOT NULL, CONSTRAINT dogs_breed FOREIGN KEY (breed_code) REFERENCES breeds (code) ON DELETE NO ACTION ON UPDATE NO ACTION',
          ),
          "INSERT INTO breeds VALUES ('Rex')",
          "INSERT INTO dogs VALUES (1, 'rex')",
        );
        await tables.become(breed, dog);
        tables.migrations.push(CompareBreedsExactly);
        // As if the migration had been cut off in the middle.
        const { mysql } = Reflect.get(new CompareBreedsExactly(), 'forwards') as { mysql: string[] };
        await tables.database.execute(...mysql.slice(0, 3));
        expect(await tables.migrate()).toEqual(['CompareBreedsExactly1899999999999']);
        expect({ ...(await collationsOf('breeds')), ...(await collationsOf('dogs')) }).toEqual({
          code: 'utf8mb4_bin',
          breed_code: 'utf8mb4_bin',
        });
        expect((await tables.differenceTo(breed, dog)).forwards).toEqual([]);
        await tables.with([breed, dog], async (source) => {
          source.open();
          await source.getRepository(breed).insert({ code: 'rex' });
          await expect(source.query("INSERT INTO dogs VALUES (2, 'REX')")).rejects.toThrow(/REFERENCED/);
          expect(await source.query('SELECT breed_code FROM dogs')).toEqual([{ breed_code: 'Rex' }]);
        });
      });
    },
    [mariaDb, mySql],
  ));
