import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { mariaDb, sqlite, type TestDatabase } from '../support/engines.js';
import { INJECTIONS } from './support/input/injections.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';

type Target = Pick<TestDatabase, 'url' | 'query' | 'drop'>;

/** A server with special SQL modes, in one of which a backslash escapes nothing. */
async function strange(): Promise<Target> {
  const server = await MariaDbServer.start('--sql-mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES');
  await server.query('CREATE DATABASE petstore');
  const query = (statement: string) => server.query('USE petstore', statement);
  return { url: server.url('petstore'), query, drop: () => server.stop() };
}

/** The databases on which a text could be taken for SQL. */
const TARGETS: { name: string; start: () => Promise<Target> }[] = [
  { name: 'SQLite', start: () => sqlite.create() },
  { name: 'MariaDB', start: () => mariaDb.create() },
  { name: 'MariaDB where a backslash escapes nothing', start: strange },
];

describe.for(TARGETS.slice(0, mariaDb.installed ? 3 : 1))('SQL on $name', ({ name, start }) => {
  let target: Target;
  let replica: Replica;
  beforeAll(async () => {
    target = await start();
    replica = await Replica.start(target.url);
  });
  afterAll(async () => {
    await replica.discard();
    await target.drop();
  });
  const rowsOf = async (table: string, order: string) =>
    JSON.stringify(await target.query(`SELECT * FROM ${table} ORDER BY ${order}`), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );

  it('in any field or parameter neither returns nor changes a row', async (context) => {
    const { caller } = replica;
    const seed = await caller.post('/v1/pets', { name: 'canary', categoryId: 1, status: 'pending' });
    const petId = (JSON.parse(seed.text) as { id: number }).id;
    const before = [await rowsOf('api_keys', 'id'), await rowsOf('migrations', 'id')];
    // Only the hash of a key is stored, so a response that contains it must come from a row.
    const hash = String((await target.query('SELECT secret_hash FROM api_keys'))[0]!['secret_hash']);
    const problems: string[] = [];
    const names = new Map<number, string>();
    let sent = 0;
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      sent += 1;
      const text = body === undefined ? undefined : JSON.stringify(body);
      const reply = await caller.send(method, path, { headers, ...(text !== undefined && { body: text }) });
      const leaks = reply.text.includes(hash) || (reply.status === 200 && reply.text.includes('canary'));
      if (reply.status >= 500 || leaks)
        problems.push(`${method} ${path} ${text}: ${reply.status} ${reply.text}`);
      return reply;
    };
    /** Everywhere except in a name, every text of the corpus must be rejected. */
    const refused = async (...[method, path, body, headers]: Parameters<typeof send>) => {
      const { status } = await send(method, path, body, headers);
      if (status < 400) problems.push(`${method} ${path} ${JSON.stringify(body)} was accepted`);
    };
    for (const [i, text] of INJECTIONS.entries()) {
      const part = encodeURIComponent(text);
      const key = { 'Idempotency-Key': text.replaceAll(/[^\x21-\x7e]/g, '_') };
      const [named] = await Promise.all([
        send('POST', '/v1/pets', { name: text, categoryId: i }, i % 2 ? key : {}),
        refused('POST', '/v1/pets', { name: 'x', categoryId: text }),
        refused('POST', '/v1/pets', { name: 'x', categoryId: 1, status: text }),
        refused('POST', '/v1/pets', { name: 'x', categoryId: 1, [text]: 1 }),
        refused('GET', `/v1/pets?status=${part}`),
        refused('GET', `/v1/pets?limit=${part}`),
        refused('GET', `/v1/pets?cursor=${part}`),
        refused('GET', `/v1/pets?${part}=1`),
        refused('GET', `/v1/pets/${part}`),
        refused('GET', `/v1/pets/${petId}${part}`),
        refused('POST', '/v1/store/orders', { petId: text }),
        refused('PATCH', `/v1/store/orders/${part}`, { status: 'approved' }),
        refused('PATCH', '/v1/store/orders/1', { status: text }),
      ]);
      // The policy for names rejects control characters.
      if (named.status === 201) names.set((JSON.parse(named.text) as { id: number }).id, text);
      else if (named.status !== 400) problems.push(`${text}: ${named.status} ${named.text}`);
    }
    // Failed authentications are delayed, so they are sent in parallel, and are few.
    const credentials = INJECTIONS.filter((_, i) => i % 10 === 0).map(encodeURIComponent);
    await Promise.all(
      credentials.map((part) => refused('GET', '/v1/pets', undefined, { Authorization: `Bearer ${part}` })),
    );
    const rows = await target.query('SELECT id, name FROM pets');
    const altered = rows.filter(
      ({ id, name: stored }) => (names.get(Number(id)) ?? 'canary') !== stored,
    ).length;
    const extra = rows.length - names.size - 1;
    const after = [await rowsOf('api_keys', 'id'), await rowsOf('migrations', 'id')];
    const orders = (await target.query('SELECT id FROM orders')).length;
    const changed =
      altered + Math.abs(extra) + orders + (withoutUse(after[0]!) === withoutUse(before[0]!) ? 0 : 1);
    note(context, {
      promise: 16,
      line: `${name}: ${INJECTIONS.length} texts in 14 places, ${sent} requests: ${problems.length} leaks, acceptances or 5xx, ${changed} rows changed`,
      kept: problems.length + changed === 0,
    });
    expect([problems, changed, after[1]]).toEqual([[], 0, before[1]]);
    expect(names.size).toBeGreaterThan(150);
  });
});

/** Without the time of last use, which the service itself updates. */
const withoutUse = (rows: string) => rows.replaceAll(/"last_used_at":[^,}]*/g, '');
