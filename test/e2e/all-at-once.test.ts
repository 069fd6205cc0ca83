import { expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { Leases, minuteOf } from '../../src/platform/database/index.js';
import { spawnPetstore } from '../support/built-service.js';
import type { ApiClient } from '../support/api-client.js';
import { existing, onEveryEngine } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { Purge } from '../support/rooms/database.js';
import { startService } from '../support/service.js';
import { untilServed } from '../support/until-served.js';

const ORDERS = '/v1/store/orders';
/** The import stores a batch of records while its input is still open. */
const [BATCH, RECORDS] = [500, 800];
const WRITTEN = 600;
const RETENTION_MS = 24 * 3_600_000;
const REVOCATION_MS = 5_000;
/** Each client orders and cancels its pets, one after the other. */
const PETS = 3;

interface Acknowledged {
  readonly id: number;
  readonly petId: number;
  status: string;
}

/** Orders pets and cancels each second order, until its key is rejected or `isOver`. @returns the orders, as they were acknowledged */
async function shop(client: ApiClient, name: string, petIds: readonly number[], isOver: () => boolean) {
  const orders: Acknowledged[] = [];
  for (let i = 0; ; i++) {
    const petId = petIds[i % petIds.length]!;
    const headers = { 'Idempotency-Key': `${name}-${i}` };
    const placed = await untilServed(() => client.post(ORDERS, { petId }, { headers }));
    if (placed.status === 401) return { orders, rejection: placed };
    expect(placed).toMatchObject({ status: 201, json: { petId, status: 'placed' } });
    const order = placed.json as unknown as Acknowledged;
    orders.push(order);
    if (isOver()) return { orders };
    const moved = await untilServed(() => client.patch(`${ORDERS}/${order.id}`, { status: 'cancelled' }));
    if (moved.status === 401) return { orders, rejection: moved };
    expect(moved).toMatchObject({ status: 200, json: { status: 'cancelled' } });
    order.status = 'cancelled';
  }
}

onEveryEngine((engine) => {
  it('orders, an import, the revocation of a key and a job do not disturb each other, on two replicas', async () => {
    const database = await engine.create();
    const one = await startService(existing(database));
    const other = await startService(existing(database), { beside: one });
    const replicas = [one, other] as const;
    const environment = { DATABASE_URL: database.url };
    const addPet = async (idempotencyKey: string) => {
      const headers = { 'Idempotency-Key': idempotencyKey };
      const { json } = await one.client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
      return (json as { id: number }).id;
    };
    await addPet('old');
    one.clock.advance(RETENTION_MS);
    const petIds: number[] = [];
    for (let i = 0; i < 4 * PETS; i++) petIds.push(await addPet(`new-${i}`));
    const issued = await one.app
      .get(ApiKeyService, { strict: false })
      .issue({ name: 'shop' }, 'test', 'a test');

    // Each client has pets of its own, so that it knows the outcome of its requests.
    let isOver = false;
    const visits = replicas.flatMap(({ client, stranger }, i) => {
      const revoked = stranger.with({ Authorization: `Bearer ${issued.secret}` });
      const petsOf = (client: number) => petIds.slice(client * PETS, (client + 1) * PETS);
      return [
        shop(revoked, `revoked-${i}`, petsOf(2 * i), () => false),
        shop(client, `kept-${i}`, petsOf(2 * i + 1), () => isOver),
      ];
    });
    const records = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `Imported,${from + i}\n`).join('');
    const importing = spawnPetstore(['pets', 'import', '--format', 'csv', '--json', '-'], environment);
    importing.write(`name,categoryId\n${records(0, WRITTEN)}`);
    const imported = async () => (await database.query(`SELECT id FROM pets WHERE name = 'Imported'`)).length;
    await eventually(async () => (await imported()) === BATCH);

    // The import is open and the clients order while the job runs and the key is revoked.
    const revoking = spawnPetstore(['keys', 'revoke', String(issued.key.id)], environment).end();
    await Promise.all(replicas.map(({ app }) => app.get(Purge).run()));
    expect((await revoking).code).toBe(0);
    one.clock.advance(REVOCATION_MS);
    const [ofRevoked, ofOther] = [await visits[0]!, await visits[2]!];
    const ended = await importing.feed(records(WRITTEN, RECORDS)).end();
    isOver = true;
    const visited = await Promise.all(visits);

    for (const { rejection } of [ofRevoked, ofOther])
      expect(rejection?.json).toMatchObject({ code: 'invalid_api_key' });
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { added: RECORDS, refused: 0 }]);
    expect(await imported()).toBe(RECORDS);
    const acknowledged = visited.flatMap(({ orders }) => orders);
    const stored = await database.query('SELECT id, pet_id, status FROM orders ORDER BY id');
    expect(stored.map(({ id, pet_id, status }) => [Number(id), Number(pet_id), status])).toEqual(
      acknowledged.toSorted((a, b) => a.id - b.id).map(({ id, petId, status }) => [id, petId, status]),
    );
    const held = acknowledged.filter(({ status }) => status === 'placed').map(({ petId }) => petId);
    const pending = await database.query(`SELECT id FROM pets WHERE status = 'pending' ORDER BY id`);
    expect(pending.map(({ id }) => Number(id))).toEqual(held.toSorted((a, b) => a - b));
    const states = await one.app.get(Leases).states();
    const purge = states.find(({ name }) => name === 'purge')!;
    expect([purge.last, purge.problem]).toEqual([minuteOf(one.clock.now()), undefined]);
    const keys = await database.query(
      `SELECT idempotency_key AS name FROM stored_answers WHERE operation LIKE 'Pets%'`,
    );
    expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining(petIds.map((_, i) => `new-${i}`)));
    expect(keys).toHaveLength(petIds.length);
    for (const replica of [other, one]) await replica.stop();
    await database.drop();
  });
});
