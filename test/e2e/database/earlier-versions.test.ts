import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Migrator } from '../../support/rooms/database.js';
import { serviceTables } from '../../../tools/migration/service-tables.js';
import { onMySqlToo, type TestDatabase } from '../../support/engines.js';
import { differenceAt } from '../../support/evolving-database.js';
import { logAsBefore } from '../../support/logger.js';
import { readText } from '../../support/read-text.js';
import { type Service, startService } from '../../support/service.js';

/** The bootstrap key whose hash is in the rows. */
const BOOTSTRAP_API_KEY = 'bootstrap-key-of-version-one-point-zero';
/** Each version also has everything that the versions before it had. */
const VERSIONS = ['1.0', '1.1'] as const;
const GONE = {
  '1.0': ['CreateDeprecatedUses1795178701000'],
  '1.1': ['CreateDeprecatedUses1795178701000', 'CreateJobs1795316400000', 'CreateReplicas1795359600000'],
};
/** How many migrations of both versions still exist. */
const EARLIER = 7;
const statementsOf = (version: string, file: string) =>
  readText(join(import.meta.dirname, `../../support/version-${version}`, file))
    .replace(/^--.*\n/, '')
    .trim()
    .split(/;\n/)
    .map((statement) => statement.replace(/;$/, ''));

// The tests share one database and depend on their order.
for (const [i, version] of VERSIONS.entries())
  describe(`a database of version ${version} is used as it is`, { shuffle: false }, () =>
    onMySqlToo((engine) => {
      let database: TestDatabase;
      let service: Service;
      beforeAll(async () => {
        database = await engine.create();
        const schema = engine.name === 'SQLite' ? 'sqlite.sql' : 'mysql.sql';
        // The rows contain backslashes, which MariaDB would interpret as escapes.
        const plain = engine.name === 'SQLite' ? [] : [`SET sql_mode = 'NO_BACKSLASH_ESCAPES'`];
        await database.execute(
          ...plain,
          ...VERSIONS.slice(0, i + 1).flatMap((one) => [
            ...statementsOf(one, schema),
            ...statementsOf(one, 'rows.sql'),
          ]),
        );
        service = await startService(
          { create: () => Promise.resolve(database) },
          // Migrations add what has changed since then, in every module.
          { environment: { BOOTSTRAP_API_KEY } },
        );
      });
      afterAll(() => service.stop());

      it('and the schemas of this version match it once it is migrated', async () => {
        const { entities } = await serviceTables();
        logAsBefore();
        const { forwards } = await differenceAt(database.url, entities);
        expect(
          forwards,
          'the migrations lack this of the schemas: npm run migration:generate -- <module> <name>',
        ).toEqual([]);
      });

      it('and its removed migrations are known by name, and only the earlier version can revert them', async () => {
        const migrator = service.app.get(Migrator);
        const former = (await migrator.status()).filter(({ known }) => !known).map(({ name }) => name);
        expect(former).toEqual(GONE[version]);
        const applied = (await migrator.status()).filter(({ known }) => known);
        const added = applied.slice(EARLIER).map(({ name }) => name);
        expect(added).toContain('CreateLeases1795600800000');
        for (const name of added.toReversed()) {
          expect(await migrator.newest()).toBe(name);
          await migrator.revert(name);
        }
        await expect(migrator.newest()).rejects.toThrow(`does not know ${former.at(-1)}`);
        expect(await migrator.migrate()).toEqual(added);
      });

      it('with its pets and orders', async () => {
        const { client } = service;
        const rex = (await client.get('/v1/pets/1')).text;
        expect(rex).toContain('"name":"Rex \\"the first\\" 🐶","categoryId":9223372036854775807');
        const { json } = await client.get('/v1/pets?limit=10');
        expect((json as { id: number }[]).map(({ id }) => id)).toEqual([10, 3, 2, 1]);
        const orders = (await client.get('/v1/store/orders')).json;
        expect(orders).toContainEqual(expect.objectContaining({ petId: 3, status: 'placed' }));
      });

      it('with its stored responses to repeated requests', async () => {
        const body = { name: 'Rex "the first" 🐶', categoryId: 9_223_372_036_854_775_807n };
        const text = `{"name":"${body.name.replaceAll('"', '\\"')}","categoryId":${body.categoryId}}`;
        const again = await service.client.send('POST', '/v1/pets', {
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'kept' },
          body: text,
        });
        expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
        expect(again.text).toContain('"id":1');
      });

      it('with its keys and its sequences', async () => {
        const added = await service.client.post('/v1/pets', { name: 'Minka', categoryId: 7 });
        expect((added.json as { id: number }).id).toBeGreaterThanOrEqual(18);
      });
    }),
  );
