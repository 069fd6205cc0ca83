import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { size } from './support/size.js';

const ROUNDS = size(30, 300);
const AT_ONCE = 50;

let database: TestDatabase;
let replica: Replica;
beforeAll(async () => {
  database = await sqlite.create();
  replica = await Replica.start(database.url);
  // The response is stored in the same unit of work as the pet, and after it: rejecting the response rolls back the pet.
  await database.execute(
    `CREATE TRIGGER regret BEFORE INSERT ON stored_answers WHEN NEW.answer LIKE '%regret%'
     BEGIN SELECT RAISE(ABORT, 'changed my mind'); END`,
  );
});
afterAll(async () => {
  await replica.discard();
  await database.drop();
});

it('a unit of work that fails rolls back its own changes only, and nobody reads them before', async (context) => {
  const { caller } = replica;
  const acknowledged = new Set<number>();
  let dirty = 0;
  let rolledBack = 0;
  let reading = true;
  const reader = async () => {
    while (reading) {
      const { status, text } = await caller.get('/v1/pets?limit=100');
      expect(status).toBe(200);
      if (text.includes('regret')) dirty += 1;
    }
  };
  const readers = [reader(), reader()];
  for (let round = 0; round < ROUNDS; round++) {
    const add = async (_: unknown, i: number) => {
      const name = i % 2 ? `regret ${round}-${i}` : `keep ${round}-${i}`;
      // Half of the pets that stay have no key, so they are stored in a batch with others, outside any unit of work.
      const headers: Record<string, string> = i % 4 ? { 'Idempotency-Key': `${round}-${i}` } : {};
      const { status, text } = await caller.post('/v1/pets', { name, categoryId: i }, headers);
      expect([i, status]).toEqual([i, i % 2 ? 500 : 201]);
      if (status === 201) acknowledged.add((JSON.parse(text) as { id: number }).id);
      else rolledBack += 1;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, add));
  }
  reading = false;
  await Promise.all(readers);
  const rows = await database.query('SELECT id, name FROM pets');
  const stored = new Set(rows.map(({ id }) => Number(id)));
  const missing = [...acknowledged].filter((id) => !stored.has(id)).length;
  const leftOver = rows.filter(({ name }) => String(name).includes('regret')).length;
  note(context, {
    promise: 5,
    line: `${ROUNDS} rounds of ${AT_ONCE} at once over HTTP, ${rolledBack} rolled back: ${missing} of ${acknowledged.size} acknowledged missing, ${leftOver} left over, ${dirty} dirty reads`,
    kept: missing + leftOver + dirty === 0,
  });
  expect([missing, leftOver, dirty]).toEqual([0, 0, 0]);
});
