import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';

const Shape = new EntitySchema({
  name: 'shape',
  columns: { id: { type: 'int', primary: true }, of: { type: 'tsvector' } },
});

@Module({ imports: [TypeOrmModule.forFeature([Shape])] })
class ShapesModule {}

describe('petstore db diff', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    beforeAll(async () => void (database = await engine.create()));
    afterAll(() => database.drop());
    const run = (...args: string[]) => petstore(args, { DATABASE_URL: database.url });

    it('prints what would bring the tables to the schemas, and ends with 1 if there is anything', async () => {
      const empty = await run('db', 'diff');
      expect([empty.code, empty.output]).toEqual([1, expect.stringMatching(/CREATE TABLE .pets.*;\n/)]);
      await run('db', 'migrate');
      const migrated = await run('db', 'diff');
      expect([migrated.code, migrated.output]).toEqual([0, 'no difference\n']);
      await database.execute('DROP INDEX pets_by_status' + (engine.name === 'SQLite' ? '' : ' ON pets'));
      const { code, stdout } = await run('db', 'diff', '--json');
      expect([code, JSON.parse(stdout)]).toEqual([
        1,
        {
          statements: [expect.stringMatching(/^CREATE INDEX .pets_by_status. ON .pets. \(.status., .id.\)$/)],
        },
      ]);
    });

    it('sends to an entity that cannot be stored, and not to the database', async () => {
      const on = { DATABASE_URL: database.url };
      const { code, stderr } = await petstore(['db', 'diff'], on, '', [...MODULES, ShapesModule]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /cannot be used: Data type "tsvector" in "shape\.of" is not supported by "[\w-]+" database\. Look at the entity or the migration that this is about\.\n$/,
        ),
      ]);
    });
  }));
