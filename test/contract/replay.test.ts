import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventType } from '../../src/kernel/events.js';
import type { Int64 } from '../../src/kernel/int64.js';
import { PetCatalog } from '../../src/pets/application/pet-catalog.js';
import { PetAdded, PetStatusChanged } from '../../src/pets/index.js';
import { CreateOutbox } from '../../src/platform/events/create-outbox.migration.js';
import { type OutboxMessages, OutboxRepository } from '../../src/platform/events/outbox-repository.js';
import { OutboxSchema } from '../../src/platform/events/outbox.schema.js';
import { eventsOver } from '../support/events.js';
import { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import { petAdapters, type Pets } from '../support/databases/pet-adapters.js';
import { aPet } from '../support/pet-builder.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

type Ports = Pets & { messages: OutboxMessages };
const adapters: Adapters<Ports> = {
  migrations: [...petAdapters.migrations, CreateOutbox],
  schemas: [...petAdapters.schemas, OutboxSchema],
  inMemory: (units) => ({ messages: new MemoryOutboxRepository(units), ...petAdapters.inMemory(units) }),
  inTypeOrm: (source) => ({
    messages: new OutboxRepository(source.getRepository(OutboxSchema)),
    ...petAdapters.inTypeOrm(source),
  }),
};

function signal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** More than one page, and not a multiple of the page size. */
const PETS = 230;
const AT_ONCE = { limit: PETS, seconds: 0 };

describe('a subscriber that is new', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ports>;
    beforeEach(async () => {
      store = await open();
      await store.pets.addAll(
        Array.from({ length: PETS }, (_, i) => aPet({ id: BigInt(i + 1), status: 'available' })),
      );
    });
    afterEach(() => store.close());

    /** One replica: its catalogue, and a subscriber that records the events it receives. */
    const replica = () => {
      const { events, deliver, warnings } = eventsOver(store.messages, store.sequence('outbox'), store.units);
      const catalog = new PetCatalog(store.pets, store.sequence('pets'), events);
      events.enableReplay(PetAdded, (after, limit) => catalog.replayAdded(after, limit));
      const heard = new Map<Int64, string[]>();
      const hear = (id: Int64, what: string) => void heard.set(id, [...(heard.get(id) ?? []), what]);
      events.subscribe(PetAdded, 'new', async ({ id, status }) => hear(id, status));
      events.subscribe(PetStatusChanged, 'new', async ({ id, from, to }) => hear(id, `${from} ${to}`));
      const replay = async (from = 1n) => {
        let count = 0;
        for await (const { published } of events.replay('new', ['PetAdded'], from, AT_ONCE))
          count = published;
        return count;
      };
      return { events, catalog, deliver, heard, replay, warnings };
    };

    it('gets existing pets, each with its current state', async () => {
      const { catalog, replay, deliver, heard, warnings } = replica();
      await store.pets.change(7n, (pet) => pet.reserve());
      expect(await replay()).toBe(PETS);
      await deliver();
      expect([heard.size, warnings]).toEqual([PETS, []]);
      expect([heard.get(6n), heard.get(7n)]).toEqual([['available'], ['pending']]);
      await catalog.release(7n);
      await deliver();
      expect(heard.get(7n)).toEqual(['pending', 'pending available']);
    });

    it('can get the newer ones only, and nothing where nothing is', async () => {
      const { replay, deliver, heard } = replica();
      expect(await replay(BigInt(PETS))).toBe(1);
      expect(await replay(BigInt(PETS + 1))).toBe(0);
      await deliver();
      expect([...heard]).toEqual([[BigInt(PETS), ['available']]]);
    });

    it('gets no more at once than the rate allows', async () => {
      const { events, deliver, heard } = replica();
      const begun = performance.now();
      const pages: number[] = [];
      for await (const { published } of events.replay('new', ['PetAdded'], 1n, { limit: 60, seconds: 0.06 }))
        pages.push(published);
      expect(pages).toEqual([60, 120, 180, PETS]);
      // Three pauses of 60 ms, and a timer may fire a millisecond early.
      expect(performance.now() - begun).toBeGreaterThan(170);
      await deliver();
      expect(heard.size).toBe(PETS);
    });

    it('gets the events of each pet in order, whatever happens to it during the replay', async () => {
      const [one, other] = [replica(), replica()];
      const change = async ({ catalog }: typeof one, begin: number) => {
        for (let i = begin; i <= PETS; i += 2) {
          await catalog.reserve(BigInt(i));
          if (i % 3 === 0) await catalog.sell(BigInt(i));
          else if (i % 3 === 1) await catalog.release(BigInt(i));
        }
      };
      await Promise.all([change(one, 1), change(other, 2), one.replay()]);
      await one.deliver();
      expect(one.heard.size).toBe(PETS);
      for (const [id, lines] of one.heard) {
        // A new subscriber cannot use events before the replayed one; later ones must continue from its status.
        const replayed = lines.findIndex((line) => !line.includes(' '));
        let status = lines[replayed]!;
        for (const line of lines.slice(replayed + 1)) {
          const [from, to] = line.split(' ');
          expect(from, `${id}: ${lines.join(', ')}`).toBe(status);
          status = to!;
        }
        const before = lines.slice(0, replayed).at(-1)?.split(' ')[1];
        if (before) expect(lines[replayed], `${id}: ${lines.join(', ')}`).toBe(before);
        expect(status).toBe((await store.pets.find(id))!.status);
      }
    });

    it('gets a pet that is changed just then before its change', async () => {
      const { events, catalog, deliver, heard, replay } = replica();
      const other = replica();
      const [read, change] = [signal(), signal()];
      events.enableReplay(PetAdded, async (after, limit) => {
        const page = await catalog.replayAdded(after, limit);
        read.resolve();
        await change.promise;
        return page;
      });
      const replayed = replay(BigInt(PETS));
      await read.promise;
      const changed = other.catalog.reserve(BigInt(PETS));
      // The change must wait for the page; if it does not, it completes within 300 ms.
      await Promise.race([changed, sleep(300)]);
      change.resolve();
      await Promise.all([changed, replayed]);
      await deliver();
      expect(heard.get(BigInt(PETS))).toEqual(['available', 'available pending']);
    });

    it('gets instants and what may be absent as they were recorded, also from events that lack a new field', async () => {
      const Before = new EventType<{ id: Int64; dueAt: Date; note?: string }>('visit', 'VisitBooked');
      const After = new EventType<{ id: Int64; dueAt: Date; note?: string; endsAt?: Date }>(
        'visit',
        'VisitBooked',
      );
      const { events, deliver } = replica();
      const heard: unknown[] = [];
      events.subscribe(After, 'new', async (payload) => void heard.push(payload));
      const dueAt = new Date('2026-11-20T12:00:00.001Z');
      await events.record(Before, async () => ({ id: 1n, dueAt }));
      await events.record(After, async () => ({ id: 2n, dueAt, note: undefined, endsAt: new Date(-1) }));
      await deliver();
      expect(heard).toEqual([
        { id: 1n, dueAt },
        { id: 2n, dueAt, endsAt: new Date(-1) },
      ]);
    });
  }));
