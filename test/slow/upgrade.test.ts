import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, type Answer } from '../support/api-client.js';
import { startBuilt } from '../support/built-service.js';
import { buildEarlier, canBuildEarlier, EARLIER } from '../support/earlier-versions.js';
import { mariaDb, type TestDatabase } from '../support/engines.js';
import { Program } from '../support/program.js';

const SECRET = 'a-key-that-both-versions-are-given-at-their-start';
const CLIENTS = 8;
const ROUNDS = 15;

const isLeftOut = !mariaDb.installed || !canBuildEarlier;
describe.skipIf(isLeftOut).each(EARLIER)('version %s beside this one on one database', (version) => {
  let folder: string;
  let database: TestDatabase;
  let programs: Program[] = [];
  let clients: ApiClient[];
  beforeAll(async () => {
    folder = buildEarlier(version);
    database = await mariaDb.create();
    const environment = {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: SECRET,
      PORT: '0',
      DEPRECATED_OPERATIONS: 'serve',
    };
    const old = Program.start(join(folder, 'dist/main.js'), [], environment, folder);
    const [, first] = await old.printed(/Pet Store +(http\S+)/);
    const current = startBuilt(environment, tmpdir());
    const [, second] = await current.printed(/Pet Store +(http\S+)/);
    programs = [old, current];
    clients = [];
    for (const origin of [first!, second!])
      clients.push((await ApiClient.of(new URL(origin).origin)).with({ Authorization: `Bearer ${SECRET}` }));
  });
  afterAll(async () => {
    for (const program of programs) await program.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('each version replays the responses of the other under load, and nothing is lost or doubled', async () => {
    const answers: Answer[] = [];
    const client = async (_: unknown, number: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        const [one, other] =
          round % 2 === number % 2 ? [clients[0]!, clients[1]!] : [clients[1]!, clients[0]!];
        const headers = { 'Idempotency-Key': `${number}-${round}` };
        const body = { name: `Pet ${number}-${round} 🐶`, categoryId: 7 };
        const added = await one.post('/v1/pets', body, { headers });
        const again = await other.post('/v1/pets', body, { headers });
        expect([added.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
          201,
          201,
          'true',
        ]);
        expect(again.text).toBe(added.text);
        const petId = (added.json as { id: number }).id;
        const order = await other.post('/v1/store/orders', { petId }, { headers });
        const orderAgain = await one.post('/v1/store/orders', { petId }, { headers });
        expect([order.status, orderAgain.status, orderAgain.text]).toEqual([201, 201, order.text]);
        const read = await one.get(`/v1/pets/${petId}`);
        expect((read.json as { status: string }).status).toBe('pending');
        answers.push(added);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const ids = answers.map(({ json }) => (json as { id: number }).id);
    const stored = await database.query('SELECT id FROM pets');
    expect(stored.map(({ id }) => Number(id)).sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(CLIENTS * ROUNDS);
  });

  it('stops when this version serves, and no request fails', async () => {
    expect((await programs[0]!.stop('SIGTERM')).code).toBe(0);
    expect((await clients[1]!.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
  });
});
