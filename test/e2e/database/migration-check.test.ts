import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { columns, Migrations, SqlMigration } from '../../../src/platform/database/index.js';
import { check } from '../../../tools/migration/check.js';
import { type Engine, mariaDb, mySql, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { logAsBefore } from '../../support/logger.js';

const Bowl = new EntitySchema({
  name: 'bowl',
  tableName: 'test_bowls',
  columns: { id: columns.int64({ primary: true }), colour: columns.text(9, { nullable: true }) },
  indices: [{ name: 'test_bowls_by_colour', columns: ['colour'] }],
});

class CreateBowls extends SqlMigration {
  readonly name = 'CreateBowls1899999999999';
  protected readonly forwards = {
    sqlite: ['CREATE TABLE test_bowls (id INTEGER NOT NULL PRIMARY KEY) STRICT'],
    mysql: ['CREATE TABLE test_bowls (id BIGINT NOT NULL PRIMARY KEY) ENGINE = InnoDB'],
  };
  protected readonly backwards = { sqlite: ['DROP TABLE test_bowls'], mysql: ['DROP TABLE test_bowls'] };
}

/** A module whose migration lacks a column and an index. */
@Migrations(CreateBowls)
@Module({ imports: [TypeOrmModule.forFeature([Bowl])] })
class BowlsModule {}

class Broken extends CreateBowls {
  protected override readonly forwards = { sqlite: ['CREATE TABEL test_bowls'], mysql: [] };
}

@Migrations(Broken)
@Module({})
class BrokenModule {}

const suite = (engine: Engine) => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await engine.create()));
  afterEach(logAsBefore);
  afterAll(() => database.drop());
  const checked = (...modules: (new () => object)[]) =>
    check({ DATABASE_URL: database.url }, [...MODULES, ...modules]);

  it('finds no difference between the schemas and the migrations of the service', async () => {
    const remedy = 'the migrations lack this of the schemas: npm run migration:generate -- <module> <name>';
    expect(await checked(), remedy).toEqual({ SQLite: [], MySQL: [] });
  });

  if (engine !== mariaDb) return;

  it('finds the differences that the migrations of a module do not cover, on each engine', async () => {
    expect(await checked(BowlsModule)).toEqual({
      SQLite: [
        'ALTER TABLE "test_bowls" ADD COLUMN "colour" text',
        'CREATE INDEX "test_bowls_by_colour" ON "test_bowls" ("colour")',
      ],
      MySQL: [
        'ALTER TABLE `test_bowls` ADD `colour` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
        'CREATE INDEX `test_bowls_by_colour` ON `test_bowls` (`colour`)',
      ],
    });
  });

  it('leaves no database on the server, and does not change the database at DATABASE_URL', async () => {
    await checked(BowlsModule);
    const name = /\w+$/.exec(database.url)![0];
    expect(await database.query(`SHOW DATABASES LIKE '${name}%'`)).toHaveLength(1);
    expect(await database.query('SHOW TABLES')).toEqual([]);
  });

  it('names the entity or the migration when the database rejects a statement', () =>
    expect(checked(BrokenModule)).rejects.toThrow(
      /^SQLITE_ERROR \(near "TABEL": syntax error\) from CREATE TABEL test_bowls\. Look at the entity or /,
    ));

  it.each([
    [
      '',
      /^A migration is written for both engines, so DATABASE_URL must name a MySQL or MariaDB server, such as /,
    ],
    ['sqlite:./data/petstore.db', /^A migration is written for both engines, so /],
    ['postgres://root@127.0.0.1/petstore', /^DATABASE_URL must be sqlite:.* or mysql:/],
  ])('says which server it needs, for DATABASE_URL=%s', async (url, sentence) => {
    await expect(check({ DATABASE_URL: url })).rejects.toThrow(sentence);
  });

  it('says which privilege the user lacks, and which statement grants it', async () => {
    const name = /\w+$/.exec(database.url)![0];
    const user = `u${name.slice(-20)}`;
    await database.execute(`CREATE USER ${user}`);
    try {
      const url = database.url.replace('//root:', `//${user}:`);
      const refusal: unknown = await check({ DATABASE_URL: url }).catch((error: unknown) => error);
      const { message } = refusal as Error;
      expect(message).toMatch(
        / needs a temporary database, which cannot be created. ER_DBACCESS_DENIED_ERROR .*As its admin/,
      );
      await database.execute(/GRANT .*;$/.exec(message)![0]);
      expect(await check({ DATABASE_URL: url })).toEqual({ SQLite: [], MySQL: [] });
    } finally {
      await database.execute(`DROP USER ${user}`);
    }
  });
};

describe('npm run migration:check', () => onEveryEngine(suite, [mariaDb, mySql]));
