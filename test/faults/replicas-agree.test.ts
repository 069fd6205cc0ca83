import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilServed } from '../support/until-served.js';
import { note } from './support/note.js';
import { PLACES } from './support/servers/places.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { size } from './support/size.js';
import { Tally } from './support/load/tally.js';

const ROUNDS = size(20, 200);
const RIVALS = 50;
const PAIRS = size(500, 5_000);
const WRITERS = 4;

describe.for(PLACES.filter(({ installed }) => installed))('three replicas on $name', ({ name, create }) => {
  let replicas: Replica[];
  beforeAll(async () => {
    const database = await create();
    replicas = await startReplicas(3, (replica) => database.url(replica));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
  });

  const post = ({ caller }: Replica, target: string, body: unknown) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return untilServed(() => caller.post(target, body, headers));
  };
  const add = async (replica: Replica, pet: string) => {
    const { status, text } = await post(replica, '/v1/pets', { name: pet, categoryId: 7 });
    expect(status).toBe(201);
    return (JSON.parse(text) as { id: number }).id;
  };

  it('accept exactly one of the concurrent orders for a pet', async (context) => {
    const tally = new Tally();
    const winners: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const petId = await add(replicas[round % 3]!, 'wanted');
      const rivals = Array.from({ length: RIVALS }, (_, i) =>
        tally.of(post(replicas[i % 3]!, '/v1/store/orders', { petId })),
      );
      winners.push((await Promise.all(rivals)).filter((reply) => reply?.status === 201).length);
    }
    const others = tally.total - tally.count(201) - tally.count(409);
    const wrong = winners.filter((count) => count !== 1).length;
    note(context, {
      promise: 6,
      line: `${name}: ${ROUNDS} rounds of ${RIVALS} rivals (${tally}): ${wrong} rounds without exactly one winner, ${others} answers but 201 and 409; slowest ${tally.took(409, 1)} ms`,
      kept: wrong + others === 0,
    });
    expect([wrong, others]).toEqual([0, 0]);
  });

  it('show at once what another replica has acknowledged', async (context) => {
    let misses = 0;
    let left = PAIRS;
    const pairs = async () => {
      while (left-- > 0) {
        const [writer, reader] = [replicas[left % 3]!, replicas[(left + 1) % 3]!];
        const id = await add(writer, 'seen');
        const [one, list] = await Promise.all([
          reader.caller.get(`/v1/pets/${id}`),
          reader.caller.get('/v1/pets?limit=100'),
        ]);
        // Each replica takes its ids from a block of its own, so the newest pet need not be on the first page.
        const ids = (JSON.parse(list.text) as { id: number }[]).map((pet) => pet.id);
        if (one.status !== 200 || !(ids.includes(id) || id < Math.min(...ids))) misses += 1;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, pairs));
    note(context, {
      promise: 9,
      line: `${name}: ${PAIRS} pairs, written through one replica and read through the next: ${misses} misses`,
      kept: misses === 0,
    });
    expect(misses).toBe(0);
  });
});
