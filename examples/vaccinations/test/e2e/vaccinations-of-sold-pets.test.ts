import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Events, UnitOfWork } from '../../src/kernel/index.js';
import { PetCatalog } from '../../src/pets/application/pet-catalog.js';
import type { JoiningDataSource } from '../../src/platform/database/index.js';
import type { Outbox } from '../../src/platform/events/index.js';
import { OrderService } from '../../src/store/application/order-service.js';
import { Vaccinations } from '../../src/vaccinations/application/vaccinations.js';
import type { VaccinationState } from '../../src/vaccinations/domain/new-vaccination.js';
import { RunningClock } from '../support/clocks.js';
import { existing, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { PatientRetries } from '../support/patient-retries.js';
import { aNewPetInput } from '../support/pet-builder.js';
import { type Service, startService } from '../support/service.js';
import { aNewVaccination } from '../support/vaccination-builder.js';

const ROUNDS = 12;
const PETS = 5;

/** The use cases of one replica. */
const useCasesOf = ({ app }: Service) => {
  const vaccinations = app.get(Vaccinations, { strict: false });
  const units = app.get(UnitOfWork, { strict: false });
  const add = (petId: bigint, state: VaccinationState) => vaccinations.add(aNewVaccination({ petId, state }));
  return {
    catalog: app.get(PetCatalog, { strict: false }),
    orders: app.get(OrderService, { strict: false }),
    vaccinations,
    add,
    /** Adds an open vaccination, and waits before it is stored. */
    addSlowly: (petId: bigint, wait: () => Promise<void>) =>
      units.run(async () => {
        await add(petId, 'open');
        await wait();
      }),
  };
};

describe('the vaccinations of a sold pet', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let services: Service[];
    let one: ReturnType<typeof useCasesOf>;
    let other: ReturnType<typeof useCasesOf>;
    beforeAll(async () => {
      database = await engine.create();
      // The clock of this machine lets a failed delivery be retried, as may happen on a busy machine.
      const first = await startService(existing(database), { clock: new RunningClock() });
      services = [first];
      // Only one service may open a file of SQLite.
      if (engine.name !== 'SQLite') services.push(await startService(existing(database), { beside: first }));
      // There are more requests at once than a busy machine serves in time.
      for (const { app } of services) Object.assign(app.get(DataSource), { retries: new PatientRetries() });
      [one, other] = [useCasesOf(first), useCasesOf(services.at(-1)!)];
    });
    afterAll(async () => {
      for (const service of services.toReversed()) await service.stop();
      await database.drop();
    });

    /** A pet with an order. */
    async function ordered() {
      const { id: petId } = await one.catalog.add(aNewPetInput());
      const { id: order } = await one.orders.place({ petId });
      return { petId, order };
    }

    const everybodyHasHeard = () =>
      eventually(async () => (await database.query('SELECT id FROM outbox')).length === 0);
    const statesOf = async (petId: bigint) => {
      const { items } = await one.vaccinations.list({ filter: { petId }, limit: 100 });
      return items.map(({ state }) => state).toSorted();
    };

    /** Whether a sale waits for a lock of the first replica. */
    async function isSaleWaiting(): Promise<boolean> {
      const source = services[0]!.app.get(DataSource) as JoiningDataSource;
      if (engine.name === 'SQLite') return source.usage().waiting > 0;
      const running = 'SELECT id FROM information_schema.processlist WHERE db = DATABASE()';
      return (await database.query(`${running} AND info LIKE 'UPDATE%pets%'`)).length > 0;
    }

    it('delay the sale while a vaccination is added', async () => {
      const { petId, order } = await ordered();
      let isAdded = () => {};
      const added = new Promise<void>((resolve) => (isAdded = resolve));
      const adding = one.addSlowly(petId, async () => {
        isAdded();
        await eventually(isSaleWaiting);
      });
      await added;
      await Promise.all([adding, one.orders.move(order, 'delivered')]);
      await everybodyHasHeard();
      expect(await statesOf(petId)).toEqual(['transferred']);
    });

    it('are not open, also if they are added or opened during the sale', async () => {
      const events = services.at(-1)!.app.get(Events, { strict: false }) as Outbox;
      let isOver = false;
      // Events are delivered at once, so that sales are handled while vaccinations are added.
      const delivering = (async () => {
        for (; !isOver; await sleep(1)) await events.deliver();
      })();
      const sold: bigint[] = [];
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const pets = await Promise.all(Array.from({ length: PETS }, ordered));
          await Promise.all(
            pets.map(async ({ petId, order }, i) => {
              const [, done] = [await one.add(petId, 'open'), await one.add(petId, 'done')];
              await Promise.all([
                other.addSlowly(petId, () => sleep(5 * i)),
                one.add(petId, 'open'),
                one.orders.move(order, 'delivered').then(() => other.add(petId, 'open')),
                other.vaccinations.change(done.id, { state: 'open' }),
                other.add(petId, 'open'),
                one.add(petId, 'done'),
              ]);
            }),
          );
          sold.push(...pets.map(({ petId }) => petId));
        }
      } finally {
        isOver = true;
      }
      await delivering;
      await everybodyHasHeard();
      const expected = ['done', ...Array.from({ length: 6 }, () => 'transferred')];
      for (const petId of sold) expect(await statesOf(petId)).toEqual(expected);
    });
  }));
