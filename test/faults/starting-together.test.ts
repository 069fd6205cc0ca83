import { describe, expect, it } from 'vitest';
import { petstore } from '../support/petstore.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { size } from './support/size.js';
import { type PlacedDatabase, PLACES } from './support/servers/places.js';

const REPLICAS = 5;
const ROUNDS = size(1, 5);
/** The first two migrations belong to the oldest version. */
const OLDEST = 2;

interface State {
  readonly name: string;
  readonly applied: boolean;
}

const environmentOf = (url: string) => ({ DATABASE_URL: url });
const statesOf = async (url: string) =>
  JSON.parse((await petstore(['db', 'status', '--json'], environmentOf(url))).output) as State[];

/** Reverts a database to the schema of the oldest version, and adds a pet of that version. */
async function age(database: PlacedDatabase): Promise<void> {
  const url = database.url(0);
  expect((await petstore(['db', 'migrate'], environmentOf(url))).code).toBe(0);
  const reverts = (await statesOf(url)).length - OLDEST;
  for (let i = 0; i < reverts; i++) {
    expect((await petstore(['db', 'revert', '--yes'], environmentOf(url))).code).toBe(0);
  }
  await database.query("INSERT INTO pets VALUES (1, 'old', 7, 'available')");
}

describe.for(PLACES.filter(({ installed }) => installed))('five replicas on $name', ({ name, create }) => {
  it.for(['empty', 'old'] as const)(
    'are all ready when they start together on an %s schema',
    async (schema, context) => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const database = await create();
        if (schema === 'old') await age(database);
        const begin = performance.now();
        const replicas = await Promise.all(
          Array.from({ length: REPLICAS }, (_, i) => Replica.start(database.url(i % 3))),
        );
        times.push(Math.round(performance.now() - begin));
        for (const { caller, surprises } of replicas) {
          const pets = JSON.parse((await caller.get('/v1/pets')).text) as { name: string }[];
          expect([pets.map((pet) => pet.name), surprises]).toEqual([schema === 'old' ? ['old'] : [], []]);
        }
        const states = await statesOf(database.url(0));
        expect(states.filter(({ applied }) => !applied)).toEqual([]);
        expect(await database.query('SELECT name FROM migrations')).toHaveLength(states.length);
        await Promise.all(replicas.map((replica) => replica.discard()));
      }
      note(context, {
        promise: 18,
        line: `${name}, ${schema} schema: ${ROUNDS} times ${REPLICAS} replicas, all ready after ${times.join(', ')} ms`,
        kept: true,
      });
    },
  );
});
