import { inspect } from 'node:util';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  DataSource,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  QueryFailedError,
  type QueryRunner,
  Table,
} from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Migrations } from '../../../src/platform/database/index.js';
import { onEveryEngine, sqlite } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';
import {
  Toy,
  ToyDiary,
  ToyNote,
  ToyShelf,
  ToyShelves,
  ToysModule,
} from '../../support/modules/toys-module.js';

/** A migration of these tables. `npm run migration:generate` would write it in SQL. */
class CreateToys implements MigrationInterface {
  readonly name = 'CreateToys1900000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { driver } = runner.dataSource;
    for (const entity of [Toy, ToyNote, ToyShelf])
      await runner.createTable(Table.create(runner.dataSource.getMetadata(entity), driver));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['toy_shelves', 'toy_notes', 'toys']) await runner.dropTable(table);
  }
}

@Migrations(CreateToys)
@Module({ imports: [ToysModule] })
class ToysWithTables {}

@Entity()
class Shape {
  @PrimaryColumn('int')
  id!: number;

  @Column('tsvector')
  of!: string;
}

/** An entity with a private member, as entities of other projects may have. */
@Entity()
class Locker {
  @PrimaryColumn('int')
  id!: number;

  opens(): boolean {
    return this.#isMine();
  }

  #isMine(): boolean {
    return this.id > 0;
  }
}

@Module({ imports: [TypeOrmModule.forFeature([Locker])] })
class LockersModule {}

@Module({ imports: [TypeOrmModule.forFeature([Shape])] })
class ShapesModule {}

/** What a developer who knows Nest and TypeORM writes: test/support/modules/toys-module.ts. */
describe('a module with tables in plain TypeORM', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { samples: [ToysWithTables] });
    });
    afterAll(() => service.stop());

    /** Does not check responses against the document, which has no schema for bodies that the module does not describe. */
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${service.port}/v1/toys${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${service.secret}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
    };
    const add = async (name: string, stock: number) =>
      (await ask('', { name, stock })).json as { id: number };

    it('stores entities with save, and finds them again', async () => {
      const added = await ask('', { name: 'ball', stock: 3 });
      expect([added.status, added.json]).toEqual([201, { id: expect.any(Number), name: 'ball', stock: 3 }]);
      expect((await ask(`/${String(added.json['id'])}`)).json).toEqual(added.json);
      expect(await ask('/4711')).toEqual({
        status: 404,
        json: { code: 'not_found', message: 'no such toy', status: 404 },
      });
    });

    it('stores an entity together with what a subscriber stores by an injected repository, or neither', async () => {
      const source = service.app.get(DataSource);
      const texts = async () => (await source.getRepository(ToyNote).find()).map(({ text }) => text);
      const { id } = await add('yarn', 1);
      expect(await texts()).toContain('new: yarn');
      expect(service.app.get(ToyDiary).known).toBe((await texts()).length);
      expect(await ask('', { name: 'ghost', stock: 1 })).toMatchObject({ status: 409 });
      expect(await texts()).not.toContain('new: ghost');
      expect(await source.getRepository(Toy).findOneBy({ name: 'ghost' })).toBeNull();
      await source.getRepository(Toy).remove(await source.getRepository(Toy).findOneByOrFail({ id }));
      expect(await texts()).toContain('gone: yarn');
    });

    it('may use the repository of a tree, also an injected one', async () => {
      const { shelves } = service.app.get(ToyShelves);
      const top = await shelves.save({ name: 'top' });
      await shelves.save({ name: 'left', parent: top });
      expect(await shelves.findTrees()).toMatchObject([{ name: 'top', children: [{ name: 'left' }] }]);
      expect(await shelves.countDescendants(top)).toBe(2);
    });

    it('gets the errors of the database as from TypeORM, but without the values', async () => {
      const source = service.app.get(DataSource);
      const text = 'nobody should read that';
      await source.getRepository(ToyNote).insert({ text });
      const isSqlite = engine.name === 'SQLite';
      const taken: unknown = await source
        .getRepository(ToyNote)
        .save({ text })
        .catch((error: unknown) => error);
      expect(taken).toBeInstanceOf(QueryFailedError);
      expect(taken).toMatchObject({
        driverError: isSqlite
          ? { code: 'SQLITE_CONSTRAINT_UNIQUE', constraint: 'one_of_a_kind' }
          : { code: 'ER_DUP_ENTRY', errno: 1062, constraint: 'one_of_a_kind' },
      });
      const wrong: unknown = await source
        .query('SELECT nope FROM toys WHERE name = ?', [text])
        .catch((error: unknown) => error);
      const code = isSqlite ? 'SQLITE_ERROR' : 'ER_BAD_FIELD_ERROR';
      expect(wrong).toBeInstanceOf(QueryFailedError);
      expect(wrong).toMatchObject({ code, driverError: { code } });
      const literal: unknown = await source
        .query(`INSERT INTO toys (nope, name) VALUES (-987654, '${text}')`)
        .catch((error: unknown) => error);
      expect(inspect([taken, wrong, literal], { showHidden: true })).not.toMatch(/987654|nobody should/);
      // The error contains the message of the database, and the statement.
      expect(String(literal)).toMatch(/\(.*nope.*\) from INSERT INTO toys \(nope, name\) VALUES \(\?, \?\)$/);
    });

    it('may have columns that are computed when they are read, without a column in the table', async () => {
      const notes = service.app.get(DataSource).getRepository(ToyNote);
      await notes.insert({ text: 'seven' });
      expect(await notes.findOneBy({ text: 'seven' })).toMatchObject({ size: 5 });
    });

    if (engine !== sqlite) return;

    it.each([
      [
        'cannot be stored',
        ShapesModule,
        /cannot be used: Data type "tsvector" in "Shape\.of" is not supported by "[\w-]+" database\. Look at the entity or the migration that this is about\.\n$/,
      ],
      [
        'has #private members, which rows lack',
        LockersModule,
        /^[^{\n]+ cannot be used: Locker has #private members, which a row that is read from the database lacks: write "private" instead\. Look at the entity or the migration that this is about\.\n$/,
      ],
    ])(
      'gets an error that names the entity, not the database, if the entity %s',
      async (_, module, sentence) => {
        const database = await engine.create();
        const on = { DATABASE_URL: database.url };
        const { code, stderr } = await petstore(['db', 'status'], on, '', [...MODULES, module]);
        expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
        await database.drop();
      },
    );
  }));

it('a module has its own entities, not entities of the same name from another application in the process', async () => {
  @Entity('other_toys')
  class Toy {
    @PrimaryColumn()
    id!: number;
  }
  TypeOrmModule.forFeature([Toy]);
  const { app, stop } = await startService(sqlite, { samples: [ToysWithTables] });
  const tables = app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);
  expect(tables.filter((table) => table.endsWith('toys'))).toEqual(['toys']);
  await stop();
});
