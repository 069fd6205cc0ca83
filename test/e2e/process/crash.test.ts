import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ApiClient, linked } from '../../support/api-client.js';
import { startListening } from '../../support/built-service.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-crashes';
const CLIENTS = 8;
const CRASHES = 2;

interface Order {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
}

// test/faults/history.test.ts kills the service on MariaDB.
describe('a service that is killed while it works', () => {
  let folder: string;
  let database: TestDatabase;
  let service: Program;
  let api: ApiClient;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-crash-'));
    database = await sqlite.create();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const start = async () => {
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: SECRET };
    service = startListening(environment, folder);
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    api = (await ApiClient.of(origin!)).with({ Authorization: `Bearer ${SECRET}` });
  };
  const all = async <Item>(path: string): Promise<Item[]> => {
    const items: Item[] = [];
    for (let next: string | undefined = `/v1${path}?limit=100`; next;) {
      const page: Answer = await api.get(next);
      items.push(...(page.json as Item[]));
      next = linked(page, 'next');
    }
    return items;
  };

  /** The statuses that the subscriber received for each pet, in that order. */
  const heard = async () => {
    const lines = new Map<number, string[]>();
    const rows = await database.query('SELECT pet, status FROM heard ORDER BY pet, place');
    for (const { pet, status } of rows)
      lines.set(Number(pet), [...(lines.get(Number(pet)) ?? []), String(status)]);
    return lines;
  };

  /** Adds a pet, orders it, delivers or cancels the order, and repeats that until the service is killed. */
  const client = async (acknowledged: Map<number, string>, enough: () => void) => {
    for (let i = 0; ; i++) {
      const pet = (await api.post('/v1/pets', { name: 'Rex', categoryId: i })).json as { id: number };
      const { id } = (await api.post('/v1/store/orders', { petId: pet.id })).json as { id: number };
      acknowledged.set(id, 'placed');
      const status = i % 2 ? 'delivered' : 'cancelled';
      await api.patch(`/v1/store/orders/${id}`, { status });
      acknowledged.set(id, status);
      enough();
    }
  };

  it(
    'loses nothing that it acknowledged, keeps orders and pets consistent, and delivers every event once',
    { timeout: 240_000 },
    async () => {
      await start();
      for (let crash = 1; crash <= CRASHES; crash++) {
        const acknowledged = new Map<number, string>();
        // Killed after a different amount of work each time, with requests in flight.
        let left = crash * 7;
        let kill = () => {};
        const killed = new Promise<void>((resolve) => (kill = resolve)).then(() => service.stop('SIGKILL'));
        const clients = Array.from({ length: CLIENTS }, () =>
          client(acknowledged, () => --left === 0 && kill()).catch(() => undefined),
        );
        await Promise.all([killed, ...clients]);

        await start();
        const orders = await all<Order>('/store/orders');
        const pets = await all<{ id: number; status: string }>('/pets');
        const kept = new Map(orders.map(({ id, status }) => [id, status]));
        for (const [id, status] of acknowledged) {
          // A change that was not acknowledged may have been stored.
          expect(status === 'placed' ? ['placed', 'delivered', 'cancelled'] : [status]).toContain(
            kept.get(id),
          );
        }
        const told = new Map(orders.map(({ petId, status }) => [petId, status]));
        const meant = { placed: 'pending', delivered: 'sold', cancelled: 'available' } as Record<
          string,
          string
        >;
        for (const { id, status } of pets) expect(status).toBe(meant[told.get(id) ?? 'cancelled']);
        await eventually(async () => expect(await database.query('SELECT id FROM outbox')).toEqual([]));
        const lines = await heard();
        expect(lines.size).toBe(pets.length);
        for (const { id, status } of pets) {
          const line = lines.get(id)!;
          expect(line).toEqual(['available', 'pending', status].slice(0, line.length));
          expect(line.at(-1)).toBe(status);
        }
      }
    },
  );
});
