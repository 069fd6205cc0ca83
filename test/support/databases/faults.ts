import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { expect } from 'vitest';
import type { Answer } from '../api-client.js';
import { eventually } from '../eventually.js';
import type { Service } from '../service.js';
import type { Recorder } from '../site/recorder.js';

/** A fault that an operator or another client causes. `others` is a connection of another client, closed when the fault ends. */
export interface Fault<Server> {
  readonly what: string;
  begin(server: Server, others: Connection): Promise<unknown>;
  end?(server: Server): Promise<unknown>;
  readonly says: RegExp;
  readonly reads?: boolean;
  /** What is short is still written, such as an order. */
  readonly shortWrites?: boolean;
  /** The database rejects writes with an error that says so. */
  readonly readOnly?: boolean;
  readonly forGood?: boolean;
}

interface Site<Server> {
  readonly server: Server;
  readonly others: Connection;
  readonly service: Service;
  readonly log: Recorder;
}

export const LOCK_TABLES =
  'LOCK TABLES petstore.pets WRITE, petstore.orders WRITE, petstore.stored_answers WRITE';

/** The tables are locked, and what waits for them is killed again and again. */
export function killing<Server>(
  kill: (server: Server) => Promise<unknown>,
): Pick<Fault<Server>, 'begin' | 'end'> {
  let goesOn = false;
  let kills: Promise<void> | undefined;
  const killAgain = async (server: Server) => {
    while (goesOn) {
      await kill(server).catch(() => undefined);
      await sleep(50);
    }
  };
  return {
    begin: async (server, others) => {
      await others.query(LOCK_TABLES);
      goesOn = true;
      kills = killAgain(server);
    },
    // Waits for the kill under way, which would otherwise meet a statement after the end.
    end: async () => {
      goesOn = false;
      await kills;
    },
  };
}

const rex = { name: '🐶'.repeat(255), categoryId: 7 };

/** Demands that a fault is never called one of the service, that the log says why, and that its end is noticed. */
export async function demandForbearance<Server>(fault: Fault<Server>, site: Site<Server>): Promise<void> {
  const { server, others, service } = site;
  const add = () => service.client.post('/v1/pets', rex);
  const { status, json, text } = await add();
  expect(status, text).toBe(201);
  // Whatever fails meanwhile, the next test needs a server without the fault.
  try {
    await fault.begin(server, others);
    await demandMeanwhile(fault, site, (json as { id: number }).id);
  } finally {
    others.destroy();
    await fault.end?.(server);
  }
  if (fault.forGood) return;
  await eventually(async () => (await add()).status === 201);
  expect(await ready(service)).toEqual({ status: 200, json: { status: 'ready' } });
}

async function demandMeanwhile(fault: Fault<never>, { service, log }: Site<unknown>, id: number) {
  const { client } = service;
  const paths = ['/v1/pets', '/v1/pets?status=sold', `/v1/pets/${id}`, '/v1/store/orders'];
  const reads = await Promise.all(paths.map((path) => client.get(path)));
  const writes = await Promise.all([
    client.post('/v1/pets', rex),
    client.post('/v1/pets', rex),
    client.post('/v1/pets', rex, { headers: { 'Idempotency-Key': 'a' } }),
    client.post('/v1/store/orders', { petId: id }),
  ]);
  const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];
  if (fault.reads) expect(statuses(reads)).toEqual([200]);
  else expect(statuses(reads)).toContain(503);
  expect(statuses(writes)).toEqual(fault.shortWrites ? [503, 201] : [503]);
  if (fault.readOnly) await demandReadOnly(service, writes, log);
  for (const { status, headers } of reads) {
    expect([200, 503]).toContain(status);
    expect(headers.has('Retry-After')).toBe(status === 503);
  }
  expect(log.text).not.toMatch(/"level":50/);
  expect(log.text).toMatch(fault.says);
}

const ready = async ({ client }: Service) => {
  const { status, json } = await client.get('/readyz');
  return { status, json };
};

async function demandReadOnly(service: Service, writes: Answer[], log: Recorder) {
  expect([...new Set(writes.map(({ json }) => (json as { code: string }).code))]).toEqual([
    'database_read_only',
  ]);
  expect(await ready(service)).toEqual({ status: 200, json: { status: 'ready' } });
  expect(log.text).toMatch(/"context":"Readiness","msg":"degraded: [^\n]* accepts no writes \(.+\)/);
}
