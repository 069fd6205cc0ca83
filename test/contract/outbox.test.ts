import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventType } from '../../src/kernel/events.js';
import type { Int64 } from '../../src/kernel/int64.js';
import { type OutboxMessages, OutboxRepository } from '../../src/platform/events/outbox-repository.js';
import { OutboxSchema } from '../../src/platform/events/outbox.schema.js';
import { ManualClock } from '../support/clocks.js';
import { MemoryOutboxRepository } from '../support/memory/memory-outbox-repository.js';
import { eventsOver } from '../support/events.js';
import { petAdapters, type Pets } from '../support/databases/pet-adapters.js';
import { aPet } from '../support/pet-builder.js';
import { mariaDb, mySql } from '../support/engines.js';
import { NUMBERS_TO } from '../support/http/lists.js';
import { type Adapters, openSource, openTypeOrm, overEveryAdapter, type Store } from '../support/stores.js';

type Ports = Pets & { messages: OutboxMessages };
const adapters: Adapters<Ports> = {
  migrations: petAdapters.migrations,
  schemas: petAdapters.schemas,
  inMemory: (units) => ({ messages: new MemoryOutboxRepository(units), ...petAdapters.inMemory(units) }),
  inTypeOrm: (source) => ({
    messages: new OutboxRepository(source.getRepository(OutboxSchema)),
    ...petAdapters.inTypeOrm(source),
  }),
};

const Fed = new EventType<{ id: Int64; food: string; grams: Int64 }>('pet', 'Fed');
const Weighed = new EventType<{ id: Int64; kilograms: number; by?: string | null }>('pet', 'Weighed');

describe('events between modules', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Ports>;
    let replica: ReturnType<typeof eventsOver>;
    const another = (clock = replica.clock) =>
      eventsOver(store.messages, store.sequence('outbox'), store.units, clock);
    beforeEach(async () => {
      store = await open();
      replica = eventsOver(store.messages, store.sequence('outbox'), store.units);
    });
    afterEach(() => store.close());

    const record = (id: Int64, food: string, { events } = replica) =>
      events.record(Fed, async () => ({ id, food, grams: 2n ** 63n - 1n }));
    /** Subscribes a listener that records the events it receives, and fails for the foods in `failing`. */
    const listener = (name = 'listener', { events } = replica) => {
      const heard: string[] = [];
      const self = { heard, failing: new Set<string>() };
      events.subscribe(Fed, name, async ({ id, food }) => {
        if (self.failing.has(food)) throw new Error(`cannot stand ${food}`);
        heard.push(`${id} ${food}`);
      });
      return self;
    };
    const waiting = async () =>
      (await store.messages.backlog()).map((line) => [line.subscriber, line.waiting]);

    it('reach a subscriber with their payload, each property in its place', async () => {
      const heard: unknown[] = [];
      replica.events.subscribe(Fed, 'listener', async (payload) => void heard.push(payload));
      await record(2n ** 53n + 1n, `"'\\ fish 🐟`);
      expect(heard).toEqual([]);
      await replica.deliver();
      expect(heard).toEqual([{ id: 2n ** 53n + 1n, food: `"'\\ fish 🐟`, grams: 2n ** 63n - 1n }]);
      expect(await waiting()).toEqual([]);
    });

    it('reach a subscriber with every kind of value, and with null', async () => {
      const heard: unknown[] = [];
      replica.events.subscribe(Weighed, 'listener', async (payload) => void heard.push(payload));
      const payload = {
        id: 1n,
        kilograms: 0.1 + 0.2,
        most: Number.MAX_VALUE,
        whole: 2 ** 53 + 2,
        int64: 12n,
        isFed: false,
        at: new Date(1_795_132_800_001),
        by: null,
      };
      await replica.events.record(Weighed, async () => payload);
      await replica.deliver();
      expect(heard).toEqual([payload]);
    });

    it('reach a subscriber with more values, and other names, than a request may have', async () => {
      const heard: unknown[] = [];
      replica.events.subscribe(Fed, 'listener', async (payload) => void heard.push(payload));
      const names = ['constructor', 'prototype', '__proto__'];
      const payload = {
        id: 1n,
        food: 'fish',
        grams: 2n,
        foods: Array.from({ length: 20_001 }, () => ''),
        ...Object.fromEntries(names.map((name) => [name, name])),
      };
      await replica.events.record(Fed, async () => payload);
      await replica.deliver();
      expect(heard.map((one) => Object.entries(one as object))).toEqual([Object.entries(payload)]);
    });

    it('are rejected with NaN as a number', async () => {
      listener();
      replica.events.subscribe(Weighed, 'listener', async () => {});
      const event = { id: 1n, kilograms: Number.NaN };
      await expect(replica.events.record(Weighed, async () => event)).rejects.toThrow(
        'An event cannot have NaN as its kilograms.',
      );
      expect(await waiting()).toEqual([]);
    });

    it('are due at once, also for a replica whose clock is behind', async () => {
      const behind = another(new ManualClock(replica.clock.now() - 3_600_000));
      const { heard } = listener('listener', behind);
      listener();
      await record(1n, 'fish');
      await behind.deliver();
      expect(heard).toEqual(['1 fish']);
    });

    it('that are due come in parts of a thousand pets, each pet once, and without those that are not due', async () => {
      listener();
      listener('other');
      const ids = Array.from({ length: 2_100 }, (_, i) => BigInt(i + 1));
      await replica.events.record(Fed, async () => ids.map((id) => ({ id, food: 'fish', grams: 1n })));
      const now = replica.clock.now();
      const [first] = (await store.messages.due('listener', now)).messages;
      await store.messages.scheduleRetry(first!.id, now + 1, 'not now');
      const parts: string[][] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const part = await store.messages.due('listener', now, after);
        parts.push(part.messages.map(({ subscriber, aggregate }) => `${subscriber} ${aggregate}`));
        after = part.next;
      }
      expect(parts.map(({ length }) => length)).toEqual([999, 1_000, 100]);
      const others = ids
        .map((id) => `listener pet/${id}`)
        .filter((one) => one !== `listener ${first!.aggregate}`);
      expect(parts.flat().toSorted()).toEqual(others.toSorted());
      expect(await store.messages.withMessages()).toEqual(['listener', 'other']);
    });

    it('about one pet keep the order in which they were recorded together', async () => {
      const { heard } = listener();
      const foods = Array.from({ length: 20 }, (_, i) => `food ${i}`);
      const pairs = foods.flatMap((food) => [1n, 2n].map((id) => ({ id, food, grams: 1n })));
      await replica.events.record(Fed, async () => pairs);
      await replica.deliver();
      for (const id of [1n, 2n]) {
        const ofOne = heard.filter((line) => line.startsWith(`${id} `));
        expect(ofOne).toEqual(foods.map((food) => `${id} ${food}`));
      }
    });

    it('are not recorded when their unit of work is rolled back', async () => {
      const { heard } = listener();
      const undone = replica.events.record(Fed, async () => {
        await store.pets.add(aPet({ id: 1n }));
        throw new Error('changed my mind');
      });
      await expect(undone).rejects.toThrow('changed my mind');
      const around = store.units.run(async () => {
        await record(2n, 'fish');
        throw new Error('changed my mind');
      });
      await expect(around).rejects.toThrow('changed my mind');
      await replica.deliver();
      expect(heard).toEqual([]);
      expect(await store.pets.find(1n)).toBeUndefined();
    });

    it('reach each of several subscribers, also when another subscriber fails', async () => {
      const [good, bad] = [listener('good'), listener('bad')];
      bad.failing.add('fish');
      await record(1n, 'fish');
      await replica.deliver();
      expect([good.heard, bad.heard]).toEqual([['1 fish'], []]);
      const left = { subscriber: 'bad', waiting: 1, failing: 1, problem: 'cannot stand fish' };
      expect(await store.messages.backlog()).toMatchObject([left]);
    });

    it('about one pet are delivered in order, and a failure delays the events of that pet only', async () => {
      const self = listener();
      self.failing.add('meat');
      for (const food of ['fish', 'meat', 'milk']) for (const id of [1n, 2n]) await record(id, food);
      await record(3n, 'milk');
      await replica.deliver();
      expect(self.heard.sort()).toEqual(['1 fish', '2 fish', '3 milk']);
      self.failing.clear();
      replica.clock.advance(1_000);
      await replica.deliver();
      for (const id of [1n, 2n]) {
        const ofOne = self.heard.filter((line) => line.startsWith(`${id} `));
        expect(ofOne).toEqual([`${id} fish`, `${id} meat`, `${id} milk`]);
      }
    });

    it('about one pet are delivered in the order of its changes, whichever replica changed it', async () => {
      const replicas = [replica, another(), another()];
      const heard: string[] = [];
      for (const { events } of replicas) {
        events.subscribe(Fed, 'listener', async ({ food }) => void heard.push(food));
      }
      await store.pets.add(aPet({ id: 1n, status: 'available' }));
      const changed: string[] = [];
      const flip = (i: number) =>
        replicas[i % 3]!.events.record(Fed, async () => {
          const { status } = await store.pets.change(1n, (pet) =>
            pet.status === 'available' ? pet.reserve() : pet.release(),
          );
          changed.push(status);
          return { id: 1n, food: status, grams: 1n };
        });
      for (let i = 0; i < 12; i++) await flip(i);
      await Promise.all(replicas.map(({ deliver }) => deliver()));
      await replica.deliver();
      expect(heard).toEqual(changed);
    });

    it('about one pet that is not changed are all recorded when many callers record them at once', async () => {
      const { heard } = listener();
      const foods = Array.from({ length: 10 }, (_, i) => `food ${i}`);
      // The first ones come one after the other: a new sequence gives an id to each unit that locks its row.
      for (const round of [0, 1, 2]) await Promise.all(foods.map((food) => record(1n, `${round} ${food}`)));
      await replica.deliver();
      expect(heard.toSorted()).toEqual(
        [0, 1, 2].flatMap((round) => foods.map((food) => `1 ${round} ${food}`)),
      );
    });

    it('roll back what a handler stored before it failed', async () => {
      let failing = true;
      replica.events.subscribe(Fed, 'listener', async ({ id }) => {
        await store.pets.add(aPet({ id }));
        if (failing) throw new Error('not yet');
      });
      await record(1n, 'fish');
      await replica.deliver();
      expect(await store.pets.find(1n)).toBeUndefined();
      failing = false;
      replica.clock.advance(1_000);
      await replica.deliver();
      expect(await store.pets.find(1n)).toEqual(aPet({ id: 1n }));
    });

    it('are handled once, however many replicas deliver at once', async () => {
      const replicas = [replica, another(), another()];
      for (const { events } of replicas) {
        events.subscribe(Fed, 'listener', ({ id }) => store.pets.add(aPet({ id })));
      }
      for (let id = 1n; id <= 50n; id++) await record(id, 'fish');
      await Promise.all(replicas.map(({ deliver }) => deliver()));
      expect(replicas.flatMap(({ warnings }) => warnings)).toEqual([]);
      expect((await store.pets.list({ limit: 100 })).items).toHaveLength(50);
    });

    describe('for an outbound subscriber', () => {
      /** Subscribes a receiver, which fails for the foods in `failing`. */
      const receiver = ({ events } = replica) => {
        const self = { got: [] as string[], failing: new Set<string>() };
        const handle = async ({ id, food }: { id: Int64; food: string }) => {
          if (self.failing.has(food)) throw new Error(`cannot stand ${food}`);
          self.got.push(`${id} ${food}`);
        };
        events.subscribeOutbound(Fed, 'receiver', handle, { tries: 2 });
        return self;
      };

      it('are delivered outside of units of work', async () => {
        replica.events.subscribeOutbound(Fed, 'receiver', async ({ id }) => {
          await store.pets.add(aPet({ id }));
          throw new Error('not yet');
        });
        await record(1n, 'fish');
        await replica.deliver();
        expect(await store.pets.find(1n)).toEqual(aPet({ id: 1n }));
        expect(await store.messages.backlog()).toMatchObject([{ waiting: 1, problem: 'not yet' }]);
      });

      it('are delivered once and in order, however many replicas deliver at once', async () => {
        const replicas = [replica, another(), another()];
        const receivers = replicas.map(receiver);
        const got: string[] = [];
        for (const one of receivers) one.got = got;
        const foods = Array.from({ length: 8 }, (_, i) => `food ${i}`);
        for (const food of foods) for (const id of [1n, 2n, 3n]) await record(id, food);
        await Promise.all(replicas.map(({ deliver }) => deliver()));
        // Each replica may have found nothing because another one delivered.
        await replica.deliver();
        expect(got).toHaveLength(24);
        for (const id of [1n, 2n, 3n])
          expect(got.filter((line) => line.startsWith(`${id} `))).toEqual(
            foods.map((food) => `${id} ${food}`),
          );
      });

      it('wait in their line until the last try, are set aside, and are delivered when they are sent again', async () => {
        const self = receiver();
        self.failing.add('fish');
        for (const food of ['fish', 'meat']) await record(1n, food);
        await record(2n, 'milk');
        await replica.deliver();
        expect(self.got).toEqual(['2 milk']);
        const since = replica.clock.now();
        const failing = { waiting: 2, since, failing: 1, problem: 'cannot stand fish', setAside: 0 };
        expect(await store.messages.backlog()).toEqual([{ subscriber: 'receiver', ...failing }]);

        replica.clock.advance(1_000);
        await replica.deliver();
        expect(self.got).toEqual(['2 milk', '1 meat']);
        const nothing = { waiting: 0, since: null, failing: 0, problem: null };
        expect(await store.messages.backlog()).toEqual([{ subscriber: 'receiver', ...nothing, setAside: 1 }]);
        const [aside] = await store.messages.setAside('receiver', 10);
        expect(aside).toMatchObject({
          aggregate: 'pet/1',
          setAsideAt: replica.clock.now(),
          problem: 'cannot stand fish',
        });

        self.failing.clear();
        expect(await store.messages.resend('other')).toBe(0);
        expect(await store.messages.resend('receiver', [aside!.id + 1_000_000n])).toBe(0);
        expect(await store.messages.resend('receiver', [aside!.id])).toBe(1);
        await replica.deliver();
        expect(self.got).toEqual(['2 milk', '1 meat', '1 fish']);
        expect(await waiting()).toEqual([]);
      });

      it('are dropped alone when they are set aside', async () => {
        const self = receiver();
        self.failing.add('fish').add('milk');
        await record(1n, 'fish');
        await replica.deliver();
        replica.clock.advance(1_000);
        await replica.deliver();
        await record(2n, 'milk');
        expect(await store.messages.drop('receiver', true)).toBe(1);
        expect(await waiting()).toEqual([['receiver', 1]]);
      });

      it('are left to another replica that has claimed them', async () => {
        receiver();
        await record(1n, 'fish');
        const [due] = (await store.messages.due('receiver', replica.clock.now())).messages;
        const claim = { nextTryAt: replica.clock.now() + 60_000, failures: 1 };
        expect(await store.messages.change(due!, claim)).toBe(true);
        expect(await store.messages.change(due!, claim)).toBe(false);
        await store.messages.delete(due!);
        expect(await waiting()).toEqual([['receiver', 1]]);
        await store.messages.delete({ ...due!, ...claim });
        expect(await waiting()).toEqual([]);
      });
    });
  }));

describe.each([mariaDb, mySql])('on $name, where units of work run side by side,', (engine) => {
  it.skipIf(!engine.installed)('a replica skips a message that another replica is delivering', async () => {
    const database = await engine.create();
    const store = await openTypeOrm(database.url, adapters);
    const [one, other] = [0, 1].map(() => eventsOver(store.messages, store.sequence('outbox'), store.units));
    const heard: Int64[] = [];
    let [isHeld, release] = [false, () => {}];
    const released = new Promise<void>((resolve) => (release = resolve));
    one!.events.subscribe(Fed, 'listener', async ({ id }) => {
      isHeld = true;
      await released;
      heard.push(id);
    });
    other!.events.subscribe(Fed, 'listener', async ({ id }) => void heard.push(id));
    await one!.events.record(Fed, async () => [1n, 2n, 3n].map((id) => ({ id, food: 'fish', grams: 1n })));
    const first = one!.deliver();
    await expect.poll(() => isHeld).toBe(true);
    // Ends although the first message is still locked.
    await other!.deliver();
    expect(heard).toHaveLength(2);
    release();
    await first;
    expect(heard.toSorted()).toEqual([1n, 2n, 3n]);
    await store.close();
    await database.drop();
  });
});

describe.each([mariaDb, mySql])('on $name, the due events are found', (engine) => {
  /** Stores events, of which some are due, and counts the rows that are read to find a part of the due ones. */
  async function findAmong(
    count: number,
    { aggregate, nextTryAt }: { aggregate: string; nextTryAt: string },
  ) {
    const database = await engine.create();
    const source = await openSource(database.url, adapters);
    // MySQL counts only to a thousand in this way.
    const thousand = NUMBERS_TO.SQLite!(1_000);
    const numbers = `SELECT one.n + 1000 * (other.n - 1) AS n FROM (${thousand}) AS one, (${NUMBERS_TO.SQLite!(count / 1_000)}) AS other`;
    await source.query(
      `INSERT INTO outbox (id, subscriber, thing, position, kind, facts, recorded_at, next_try_at, failures)
       SELECT n, 'listener', ${aggregate}, n, 'Fed', '{}', 1, ${nextTryAt}, 0 FROM (${numbers}) AS numbers`,
    );
    await source.query('ANALYZE TABLE outbox');
    const messages = new OutboxRepository(source.getRepository(OutboxSchema));
    const rowsRead = async () => {
      const counters = await source.query<{ Value: string }[]>(`SHOW SESSION STATUS LIKE 'Handler_read%'`);
      return counters.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    // One connection reads, and counts what it reads.
    const result = await source.run(async () => {
      const before = await rowsRead();
      const { messages: found } = await messages.due('listener', Date.now());
      return { found: found.map(({ position }) => position), read: (await rowsRead()) - before };
    });
    await source.destroy();
    await database.drop();
    return result;
  }

  it.skipIf(!engine.installed)('without reading the events that wait behind another one', async () => {
    const [lines, waiting] = [5, 1_000];
    const { found, read } = await findAmong(waiting, {
      aggregate: `CONCAT('pet/', n % ${lines})`,
      nextTryAt: `IF(n < ${lines}, 9000000000000000, 0)`,
    });
    expect(found).toEqual([lines]);
    expect(read).toBeLessThan(waiting / 10);
  });

  it.skipIf(!engine.installed)(
    'by reading the events behind another one once, if one pet has most of them',
    async () => {
      const [pets, all] = [2_000, 10_000];
      const { found, read } = await findAmong(all, {
        aggregate: `CONCAT('pet/', IF(n < ${pets}, n, 0))`,
        nextTryAt: `IF(n = ${pets}, 9000000000000000, 0)`,
      });
      expect(found).toHaveLength(999);
      expect(read).toBeLessThan(4 * all);
    },
  );

  it.skipIf(!engine.installed)('without reading the events of all other pets', async () => {
    const [few, many] = [2_000, 10_000];
    const ofEachPet = { aggregate: `CONCAT('pet/', n)`, nextTryAt: '0' };
    const [one, other] = [await findAmong(few, ofEachPet), await findAmong(many, ofEachPet)];
    expect([one.found.length, other.found.length]).toEqual([1_000, 1_000]);
    // As many rows are read, however many pets there are.
    expect(other.read).toBeLessThan(1.1 * one.read);
  });
});
