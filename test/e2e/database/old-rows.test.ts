import { Injectable, Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Leases } from '../../../src/platform/database/index.js';
import { OldRows, Purge } from '../../support/rooms/database.js';
import { IdempotencyStore } from '../../support/rooms/http.js';
import { existing, onEveryEngine, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { startService } from '../../support/service.js';

/** More rows than one batch of a deletion. */
const MANY = 1_200;
const many = (row: (i: number) => string) => Array.from({ length: MANY }, (_, i) => row(i)).join();

describe('the purge of expired rows', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    beforeEach(async () => void (database = await engine.create()));
    afterEach(() => database.drop());
    const count = async (table: string) => (await database.query(`SELECT * FROM ${table}`)).length;
    it('serves other requests between its batches', async () => {
      const service = await startService(existing(database));
      const stored = (i: number) =>
        `('1', 'PetsController.add', 'old ${i}', '', '{}', ${service.clock.now() - 1})`;
      await database.execute(
        `INSERT INTO stored_answers (caller, operation, idempotency_key, body_hash, answer, expires_at)
         VALUES ${many(stored)}`,
      );
      let isTurn = false;
      setImmediate(() => (isTurn = true));
      await service.app.get(IdempotencyStore, { strict: false }).purge();
      expect(isTurn).toBe(true);
      // The job that runs every minute may have deleted some of the rows meanwhile, but none is left.
      expect(await count('stored_answers')).toBe(0);
      await service.stop();
    });

    if (engine !== sqlite) return;

    it('continues after a failure of one purge, which is logged', async () => {
      @Injectable()
      class Stuck extends OldRows {
        override purge(): Promise<number> {
          return Promise.reject(new Error('these rows are locked'));
        }
      }
      @Module({ providers: [Stuck] })
      class StuckModule {}

      const { app, clock, stop } = await startService(existing(database), { modules: [StuckModule] });
      await database.execute(
        `INSERT INTO stored_answers (caller, operation, idempotency_key, body_hash, answer, expires_at)
         VALUES ('1', 'PetsController.add', 'old', '', '{}', ${clock.now() - 1})`,
      );
      clock.advance(60_000);
      await app.get(Purge).run();
      await eventually(async () => (await count('stored_answers')) === 0);
      const purged = async () => (await app.get(Leases).states()).find(({ name }) => name === 'purge')!;
      await eventually(async () => (await purged()).last === clock.now());
      expect((await purged()).problem).toBe('Old rows could not be deleted: Error: these rows are locked');
      await stop();
    });
  }));
