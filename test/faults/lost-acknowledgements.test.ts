import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { startReplicas } from './support/servers/replicas.js';
import { note } from './support/note.js';
import type { Replica } from './support/servers/replica.js';
import { size } from './support/size.js';
import { Tally } from './support/load/tally.js';

const KEYS = size(400, 4_000);
const RIVALS = 6;
/** Number of keys that are in use at once. */
const AT_ONCE = 8;
/** The database is killed each time this many keys are done. */
const KILL_AFTER = [0.15, 0.4, 0.7].map((share) => Math.floor(KEYS * share));
const PAUSE = 50;

describe.skipIf(!MariaDbServer.isInstalled())('clients that get no response', () => {
  let server: MariaDbServer;
  let replicas: Replica[];
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore');
    replicas = await startReplicas(3, () => server.url('petstore'));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
    await server.stop();
  });

  it('send their request again with the same key, and all get the same response', async (context) => {
    const tally = new Tally();
    const answers = new Map<string, string[]>();
    /** Sends the same request until it is acknowledged. */
    const insist = async (key: string, rival: number) => {
      for (let attempt = 0; ; attempt++) {
        const { caller } = replicas[(rival + attempt) % replicas.length]!;
        const answer = caller.post('/v1/pets', { name: key, categoryId: 7 }, { 'Idempotency-Key': key });
        const reply = await tally.of(answer);
        if (reply?.status === 201) return reply.text;
        await sleep(PAUSE);
      }
    };
    let next = 0;
    const worker = async () => {
      while (next < KEYS) {
        const key = `key-${next++}`;
        answers.set(key, await Promise.all(Array.from({ length: RIVALS }, (_, i) => insist(key, i))));
        if (KILL_AFTER.includes(answers.size)) await server.kill().then(() => server.launch());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    const rows = await server.query('SELECT id, name FROM petstore.pets');
    const names = rows.map(({ name }) => name);
    const duplicates = names.length - new Set(names).size;
    const ids = new Map(rows.map(({ id, name }) => [name, Number(id)]));
    const lost = [...answers].filter(
      ([key, [text]]) => (JSON.parse(text!) as { id: number }).id !== ids.get(key),
    );
    const differing = [...answers.values()].filter((texts) => new Set(texts).size > 1);
    // 409 idempotency_in_progress also means that a rival must retry.
    const surprises = tally.surprises.filter((text) => !text.includes('idempotency_in_progress'));
    note(context, {
      promise: 2,
      line: `${KEYS} keys x ${RIVALS} clients over 3 replicas, ${KILL_AFTER.length} kills of the database (${tally}): ${duplicates} duplicates, ${lost.length} lost, ${differing.length} differing answers`,
      kept: duplicates + lost.length + differing.length + surprises.length === 0,
    });
    expect([duplicates, lost, differing, surprises]).toEqual([0, [], [], []]);
    expect(names).toHaveLength(KEYS);
  });
});
