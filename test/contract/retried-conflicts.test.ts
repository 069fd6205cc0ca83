import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JoiningDataSource } from '../../src/platform/database/index.js';
import { petAdapters } from '../support/databases/pet-adapters.js';
import { onMySqlToo, sqlite, type TestDatabase } from '../support/engines.js';
import { aPet } from '../support/pet-builder.js';
import { type Repeatable, Retries } from '../support/rooms/database.js';
import { openSource } from '../support/stores.js';

/** How many units of work lock each other out. */
const RIVALS = 5;

/** The retries of a service, which also count the tries that failed. */
class WatchedRetries extends Retries {
  failures = 0;

  constructor(private readonly failed: () => void = () => {}) {
    super();
  }

  override run<Result>(repeatable: Repeatable, work: () => Promise<Result>): Promise<Result> {
    return super.run(repeatable, () =>
      work().catch((error: unknown) => {
        this.failures += 1;
        this.failed();
        throw error;
      }),
    );
  }
}

/** Code that awaits `open` continues after so many calls of `arrive`. */
function gate(arrivals: number) {
  let left = arrivals;
  let pass = () => {};
  const open = new Promise<void>((resolve) => (pass = resolve));
  const arrive = () => {
    left -= 1;
    if (left <= 0) pass();
  };
  return { open, arrive };
}

// Other contracts have more rivals than a service serves in time, so they retry for longer than a service does.
describe('a unit of work, with the retries of a service,', () =>
  onMySqlToo((engine) => {
    let database: TestDatabase;
    let sources: JoiningDataSource[];
    beforeEach(async () => {
      database = await engine.create();
      sources = [await openSource(database.url, petAdapters), await openSource(database.url, petAdapters)];
    });
    afterEach(async () => {
      await Promise.all(sources.map((source) => source.destroy()));
      await database.drop();
    });

    /** Gives a replica retries whose time stands still, so that neither a lock timeout nor a busy machine uses up their two seconds. */
    function retriesOf(replica: number, failed?: () => void): WatchedRetries {
      vi.useFakeTimers({ toFake: ['performance'] });
      const retries = new WatchedRetries(failed);
      Object.assign(sources[replica]!, { retries });
      return retries;
    }

    const portsOf = (replica: number) => petAdapters.inTypeOrm(sources[replica]!);
    const ids = Array.from({ length: RIVALS }, (_, i) => BigInt(i + 1));

    it('is stored after another one, which had locked the same rows, has ended', async () => {
      const [holder, waiting] = [portsOf(0), portsOf(1)];
      await holder.pets.add(aPet({ id: 1n }));
      const [held, failed] = [gate(1), gate(1)];
      const retries = retriesOf(1, failed.arrive);
      const runner = sources[0]!.createQueryRunner();
      await runner.startTransaction();
      await runner.query(`UPDATE pets SET name = 'Luna' WHERE id = 1`);
      const sold = sources[1]!.run(async () => {
        held.arrive();
        return waiting.pets.change(1n, (pet) => pet.sell());
      });
      // Without a retry the unit of work fails.
      await Promise.race([failed.open, sold]);
      await runner.commitTransaction();
      await runner.release();
      expect(await sold).toEqual(aPet({ id: 1n, name: 'Luna', status: 'sold' }));
      expect(await holder.pets.find(1n)).toEqual(await sold);
      expect(retries.failures).toBeGreaterThan(0);
    });

    if (engine === sqlite) return;

    it('is stored after the database has rolled it back, because each of five waited for the next one', async () => {
      const { pets } = portsOf(0);
      for (const id of ids) await pets.add(aPet({ id, name: 'Pet' }));
      const retries = retriesOf(0);
      const allHold = gate(RIVALS);
      const next = (id: bigint) => (id % BigInt(RIVALS)) + 1n;
      const rename = (id: bigint, by: bigint) =>
        sources[0]!.query('UPDATE pets SET name = CONCAT(name, ?) WHERE id = ?', [` ${by}`, id]);
      const stored = ids.map((id) =>
        sources[0]!.run(async () => {
          await rename(id, id);
          allHold.arrive();
          await allHold.open;
          await rename(next(id), id);
        }),
      );
      await Promise.all(stored);
      // Each has renamed two pets, once.
      const renamedBy = (await pets.list({ limit: RIVALS })).items.map(({ id, name }) => [
        id,
        name.split(' ').slice(1).map(BigInt).toSorted(),
      ]);
      const expected = ids.map((id) => [next(id), [id, next(id)].toSorted()]);
      expect(renamedBy.toSorted()).toEqual(expected.toSorted());
      expect(retries.failures).toBeGreaterThan(0);
    });
  }));
