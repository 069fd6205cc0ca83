import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { settledMemory } from '../support/servers/settled-memory.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { ENCODINGS } from './json/encodings.js';
import type { JsonCase } from './json/json-case.js';
import { MUTATIONS } from './json/mutations.js';
import { exactInteger, NUMBERS } from './json/numbers.js';
import { STRINGS } from './json/strings.js';
import { STRUCTURES } from './json/structures.js';
import { inParallel } from './support/in-parallel.js';

const CASES = [...NUMBERS, ...STRINGS, ...STRUCTURES, ...ENCODINGS, ...MUTATIONS];
const REFUSED = CASES.filter(({ outcome }) => outcome !== 'stored');

let database: SqliteDatabase;
let replica: Replica;
beforeAll(async () => {
  database = new SqliteDatabase();
  const script = resolve(import.meta.dirname, '../support/servers/collect-garbage.mjs');
  replica = await Replica.start(database.url, { NODE_OPTIONS: `--import=${script}`, LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await replica.discard();
  database.remove();
});

/** The meaning of an accepted body, by `JSON.parse`; integers that a double cannot hold exactly, by exact arithmetic. */
function meaningOf(body: Buffer): { name: string; categoryId: string; status: string } {
  const { name, categoryId, status = 'available' } = JSON.parse(body.toString()) as Record<string, string>;
  const [, literal] = /:\s*(-?\d[-+.\deE]*)/.exec(body.toString())!;
  return {
    name: name!,
    categoryId: Number.isSafeInteger(categoryId)
      ? `${categoryId! as unknown as number}`
      : String(exactInteger(literal!)),
    status,
  };
}

/** The animal in a response, with every digit of `categoryId`. */
function animalIn(text: string): { id: string; name: string; categoryId: string; status: string } {
  const { id, name, status } = JSON.parse(text) as { id: number; name: string; status: string };
  return { id: String(id), name, categoryId: /"categoryId":(-?\d+)/.exec(text)![1]!, status };
}

async function problemWith({ body, outcome }: JsonCase): Promise<string | undefined> {
  const { status, text } = await replica.caller.send('POST', '/v1/pets', { body });
  if (status !== 201) {
    const { code } = JSON.parse(text) as { code: string };
    return status === 400 && code === outcome ? undefined : `${status} ${code}, not ${outcome}`;
  }
  if (outcome !== 'stored') return `201, not ${outcome}`;
  const { id, ...stored } = animalIn(text);
  const meant = meaningOf(body);
  const again = await replica.caller.get(`/v1/pets/${id}`);
  if (again.text !== text) return `${text} is ${again.text} when it is read`;
  const isSame = JSON.stringify(Object.entries(stored)) === JSON.stringify(Object.entries(meant));
  return isSame ? undefined : `${text} for ${JSON.stringify(meant)}`;
}

async function problemsOf(cases: readonly JsonCase[]): Promise<string[]> {
  const problems = await inParallel(cases, async (one) => {
    const problem = await problemWith(one);
    return problem && `${one.kind}: ${JSON.stringify(one.body.toString('latin1').slice(0, 200))}: ${problem}`;
  });
  return problems.filter((problem) => problem !== undefined);
}

it('a JSON text is stored as what it means, or refused by the right name', async (context) => {
  const problems = await problemsOf(CASES);
  const before = await settledMemory(replica);
  problems.push(...(await problemsOf(REFUSED)));
  const growth = Math.round((await settledMemory(replica)) - before);
  const stored = CASES.length - REFUSED.length;
  note(context, {
    promise: 23,
    line: `${CASES.length} texts, ${stored} of them good: ${problems.length} answered otherwise; memory ${growth >= 0 ? '+' : ''}${growth} MB`,
    figures: { cases: CASES.length, stored, problems: problems.length, growth },
    kept: problems.length + replica.surprises.length === 0 && growth <= 10,
  });
  expect([problems, replica.surprises]).toEqual([[], []]);
  expect(database.query('SELECT count(*) AS count FROM pets')).toEqual([{ count: stored }]);
  expect(growth).toBeLessThan(100);
});
