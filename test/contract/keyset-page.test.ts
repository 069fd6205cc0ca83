import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page, Position, Selection } from '../../src/kernel/page.js';
import { keysetPage } from '../../src/platform/database/index.js';
import {
  Appointment,
  AppointmentSchema,
  CreateAppointments,
  KINDS,
} from '../support/appointments/appointment.js';
import { selected, selectedPage } from '../support/memory/selected.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

interface Appointments {
  add(all: Appointment[]): Promise<unknown>;
  list(selection: Selection<Partial<Appointment>>): Promise<Page<Appointment>>;
}

const adapters: Adapters<Appointments> = {
  migrations: [CreateAppointments],
  schemas: [AppointmentSchema],
  inMemory: () => {
    const rows: Appointment[] = [];
    return {
      add: async (all) => rows.push(...all),
      list: async (selection) => selectedPage(rows, selection),
    };
  },
  inTypeOrm: (source) => {
    const rows = source.getRepository(Appointment);
    return {
      add: (all) => rows.insert(all),
      list: (selection) => keysetPage(rows.createQueryBuilder('appointment'), selection),
    };
  },
};

const VETS = ['Ada', 'ada', 'Àda', 'Ada B', '\u{e000}', '🐶', `'"\\%_`];
const DAY = 86_400_000;
/** Few distinct values and many ties; some have no `dueAt`. */
const ALL = Array.from({ length: 200 }, (_, n): Appointment => ({
  id: BigInt(((n * 37) % 200) + 1),
  petId: BigInt(n % 3) - 1n,
  kind: KINDS[n % 3]!,
  vet: VETS[n % VETS.length]!,
  dueAt: n % 4 === 0 ? undefined : new Date(1_795_132_800_001 + ((n % 5) - 2) * DAY),
  isPaid: n % 2 === 0,
  version: 1,
}));
const DUE = ALL.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt !== undefined);

const ranges = fc.record(
  { from: fc.constantFrom(...DUE), before: fc.constantFrom(...DUE) },
  { requiredKeys: [] },
);
const selections: fc.Arbitrary<Selection<Partial<Appointment>>> = fc
  .record({
    filter: fc.record(
      { petId: fc.constantFrom(-1n, 0n, 1n, 7n), kind: fc.constantFrom(...KINDS), isPaid: fc.boolean() },
      { requiredKeys: [] },
    ),
    by: fc.constantFrom('id', 'petId', 'kind', 'vet', 'dueAt'),
    descending: fc.boolean(),
    range: fc.option(ranges, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ by, descending, range, ...rest }) => ({
    ...rest,
    sort: { by, descending },
    ...(by === 'dueAt' && { range }),
  }));

describe('a list of any filter, range and order', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Appointments>;
    beforeAll(async () => {
      store = await open();
      await store.add(ALL);
    });
    afterAll(() => store.close());

    const turnAllPages = async (selection: Selection<Partial<Appointment>>) => {
      const seen: Appointment[] = [];
      let after: Position | undefined;
      do {
        const page = await store.list({ ...selection, after });
        seen.push(...page.items);
        after = page.next;
      } while (after !== undefined);
      return seen;
    };

    it('has each item on exactly one of its pages, in order', async () => {
      await fc.assert(
        fc.asyncProperty(selections, async (selection) => {
          const expected = selected(ALL, { ...selection, limit: ALL.length });
          expect(await turnAllPages(selection)).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    });

    it('has null values first in ascending order, and last in descending order', async () => {
      const list = (descending: boolean) => store.list({ sort: { by: 'dueAt', descending }, limit: 200 });
      const dates = ({ items }: Page<Appointment>) => items.map(({ dueAt }) => dueAt);
      expect(dates(await list(false)).slice(0, 51)).toEqual([...Array<undefined>(50), expect.any(Date)]);
      expect(dates(await list(true)).slice(149)).toEqual([expect.any(Date), ...Array<undefined>(50)]);
    });

    it('continues after a position that no item has', async () => {
      const sort = { by: 'dueAt', descending: false };
      const [first] = DUE.toSorted((a, b) => a.getTime() - b.getTime());
      const after = { id: 2n ** 63n - 1n, value: new Date(first!.getTime() - 1) };
      const { items } = await store.list({ sort, after, limit: 1 });
      expect(items[0]?.dueAt).toEqual(first);
      expect((await store.list({ sort: { ...sort, descending: true }, after, limit: 1 })).items).toEqual([
        expect.not.objectContaining({ dueAt: expect.any(Date) as Date }),
      ]);
    });
  }));
