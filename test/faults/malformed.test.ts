import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from '../support/http/raw-request.js';
import { BODIES, MESSAGES } from './support/input/malformed.js';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { size } from './support/size.js';

/** In rounds of about fifty requests. The heap reaches its stable size in the first rounds. */
const WARMING = size(15, 200);
const ROUNDS = size(40, 1_000);

let database: TestDatabase;
let replica: Replica;
beforeAll(async () => {
  database = await sqlite.create();
  const script = resolve(import.meta.dirname, 'support/servers/collect-garbage.mjs');
  replica = await Replica.start(database.url, { NODE_OPTIONS: `--import=${script}` });
});
afterAll(async () => {
  await replica.discard();
  await database.drop();
});

const problems = new Set<string>();

async function sendBody({ what, body, encoding }: (typeof BODIES)[number]): Promise<void> {
  const headers: Record<string, string> = encoding ? { 'Content-Encoding': encoding } : {};
  const reply = await replica.caller
    .send('POST', '/v1/pets', { body, headers })
    .catch((error: unknown) => error);
  const status = (reply as { status?: number }).status ?? String(reply);
  if (!(Number(status) >= 400 && Number(status) < 500)) problems.add(`${what}: ${status}`);
}

async function sendMessage([what, message]: [string, string]): Promise<void> {
  const bytes = Buffer.from(message, 'latin1');
  const answer = await rawRequest(replica.port, bytes).catch((error: unknown) => String(error));
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  const refused = statuses.every(
    (status) => (status >= 400 && status < 500) || status === 505 || status === 501,
  );
  if (answer.includes('alive') || !refused) problems.add(`${what}: ${statuses.join(', ')}`);
}

/** In MB, without garbage; the system takes some time to reclaim freed memory. */
async function settledMemory(): Promise<number> {
  for (let least = replica.residentMemory; ; least = replica.residentMemory) {
    process.kill(replica.pid, 'SIGURG');
    await sleep(500);
    if (replica.residentMemory > least - 1) return Math.min(least, replica.residentMemory);
  }
}

async function round(): Promise<void> {
  await Promise.all([...BODIES.map(sendBody), ...Object.entries(MESSAGES).map(sendMessage)]);
}

it('malformed requests are rejected, nothing hidden in them is executed, and they do not fill the memory', async (context) => {
  for (let i = 0; i < WARMING; i++) await round();
  const before = await settledMemory();
  for (let i = 0; i < ROUNDS; i++) await round();
  const after = await settledMemory();
  const growth = Math.round(after - before);
  const stored = (await database.query('SELECT id FROM pets')).length;
  const sent = (WARMING + ROUNDS) * (BODIES.length + Object.keys(MESSAGES).length);
  note(context, {
    promise: 17,
    line: `${sent} requests of ${BODIES.length + Object.keys(MESSAGES).length} kinds: ${problems.size} kinds not refused, ${stored} stored, memory ${Math.round(before)} to ${Math.round(after)} MB (${growth >= 0 ? '+' : ''}${growth})`,
    kept: problems.size + stored + replica.surprises.length === 0 && growth <= 10,
  });
  expect([[...problems], stored, replica.surprises]).toEqual([[], 0, []]);
  expect(growth).toBeLessThan(100);
  expect((await replica.caller.get('/v1/pets')).status).toBe(200);
});
