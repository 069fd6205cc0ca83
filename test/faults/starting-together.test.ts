import { describe, expect, it } from 'vitest';
import { petstore } from '../support/petstore.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { size } from './support/size.js';
import { type PlacedDatabase, PLACES } from './support/servers/places.js';

const REPLICAS = 5;
const ROUNDS = { empty: size(1, 10), old: size(1, 5) };
/** The first two migrations are those of the oldest version. */
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
      const problems: string[] = [];
      const times: number[] = [];
      for (let round = 0; round < ROUNDS[schema]; round++) {
        const database = await create();
        if (schema === 'old') await age(database);
        const begin = performance.now();
        const started = await Promise.allSettled(
          Array.from({ length: REPLICAS }, (_, i) => Replica.start(database.url(i % 3))),
        );
        times.push(Math.round(performance.now() - begin));
        for (const outcome of started) {
          if (outcome.status === 'rejected') {
            problems.push(String(outcome.reason));
            continue;
          }
          const replica = outcome.value;
          const list = await replica.caller.get('/v1/pets');
          const expected = schema === 'old' ? ['old'] : [];
          const names = (JSON.parse(list.text) as { name: string }[]).map((pet) => pet.name);
          if (JSON.stringify(names) !== JSON.stringify(expected))
            problems.push(`${list.status} ${list.text}`);
          problems.push(...replica.surprises);
        }
        const states = await statesOf(database.url(0));
        const recorded = await database.query('SELECT name FROM migrations');
        if (!states.every(({ applied }) => applied)) problems.push('a migration is missing');
        if (recorded.length !== states.length)
          problems.push(`${recorded.length} migrations of ${states.length}`);
        const replicas = started.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value] : [],
        );
        await Promise.all(replicas.map((replica) => replica.discard()));
      }
      note(context, {
        promise: 18,
        line: `${name}, ${schema} schema: ${ROUNDS[schema]} times ${REPLICAS} replicas, ${problems.length} problems, all ready after ${times.join(', ')} ms`,
        kept: problems.length === 0,
      });
      expect(problems).toEqual([]);
    },
  );
});
