import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITHOUT_THE_DISK } from '../../support/databases/server-arguments.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import type { Caller } from '../support/load/caller.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { codesOf } from './naughty/expected.js';
import { NAUGHTY } from './naughty/strings.js';
import { inParallel } from './support/in-parallel.js';

const STRINGS = Object.values(NAUGHTY).flat();
const inAddress = (text: string) => encodeURIComponent(text.toWellFormed());

/** Every place that accepts text, with a check of the response: a status and a code, or the text itself. */
const PLACES: Readonly<Record<string, (caller: Caller, text: string) => Promise<string | undefined>>> = {
  async name(caller, text) {
    const wanted = codesOf(text);
    const { status, text: body } = await caller.post('/v1/pets', { name: text, categoryId: 1 });
    const answer = JSON.parse(body) as { id: number; name: string; details: { code: string }[] };
    if (wanted.length > 0) {
      const codes = answer.details?.map(({ code }) => code);
      return status === 400 && String(codes) === String(wanted)
        ? undefined
        : `${status} ${body}, not ${wanted}`;
    }
    if (status !== 201 || answer.name !== text) return `${status} ${body}`;
    const again = await caller.get(`/v1/pets/${answer.id}`);
    return again.text === body ? undefined : `read as ${again.text}`;
  },
  status: (caller, text) => refused(caller.get(`/v1/pets?status=${inAddress(text)}`), 'invalid_parameter'),
  limit: (caller, text) =>
    refused(caller.get(`/v1/pets?limit=${inAddress(text.replace(/^\d+$/, 'x'))}`), 'invalid_parameter'),
  cursor: (caller, text) => refused(caller.get(`/v1/pets?cursor=${inAddress(text)}`), 'invalid_cursor'),
  'name of a parameter': (caller, text) =>
    refused(caller.get(`/v1/pets?${inAddress(`${text}x`)}=1`), 'unknown_parameter'),
  'name of a field': (caller, text) =>
    refused(caller.post('/v1/pets', { name: 'x', categoryId: 1, [`${text}x`]: 1 }), 'validation_failed'),
  'word of the body': (caller, text) =>
    refused(caller.post('/v1/pets', { name: 'x', categoryId: 1, status: text }), 'validation_failed'),
  path: (caller, text) => refused(caller.get(`/v1/pets/x${inAddress(text)}`), 'pet_not_found'),
  async headers(caller, text) {
    // What Node sends as a header value: visible Latin-1. All headers together must fit into 16 KiB.
    const value = text
      .slice(0, 1_000)
      .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
      .trim();
    const names = [
      'X-Request-Id',
      'If-None-Match',
      'Accept',
      'User-Agent',
      'Origin',
      'traceparent',
      'X-Forwarded-For',
      'Cookie',
    ];
    const answer = await caller.send('GET', '/v1/pets?limit=1', {
      headers: Object.fromEntries(names.map((name) => [name, `x${value}`])),
    });
    const isRight = answer.status === 200 && answer.headers['set-cookie'] === undefined;
    return isRight ? undefined : `${answer.status} ${answer.text}`;
  },
};

/** @returns the response, if it is not a refusal with this code */
async function refused(reply: ReturnType<Caller['get']>, code: string): Promise<string | undefined> {
  const { status, text } = await reply;
  const answer = JSON.parse(text) as { code?: string; status?: number };
  const isRight = status >= 400 && status < 500 && answer.code === code && answer.status === status;
  return isRight ? undefined : `${status} ${text}, not ${code}`;
}

async function startMariaDb() {
  const server = await MariaDbServer.start(...WITHOUT_THE_DISK);
  await server.query('CREATE DATABASE petstore');
  return {
    url: server.url('petstore'),
    query: (statement: string) => server.query('USE petstore', statement),
    stop: () => server.stop(),
  };
}

function startSqlite() {
  const database = new SqliteDatabase();
  return {
    url: database.url,
    query: (statement: string) => Promise.resolve(database.query(statement)),
    stop: () => Promise.resolve(database.remove()),
  };
}

const ENGINES = [
  { engine: 'SQLite', installed: true, start: () => Promise.resolve(startSqlite()) },
  { engine: 'MariaDB', installed: MariaDbServer.isInstalled(), start: startMariaDb },
];

for (const { engine, installed, start } of ENGINES) {
  describe.skipIf(!installed)(`on ${engine}`, () => {
    let target: Awaited<ReturnType<typeof start>>;
    let replica: Replica;
    beforeAll(async () => {
      target = await start();
      replica = await Replica.start(target.url, { LOG_LEVEL: 'warn' });
    });
    afterAll(async () => {
      await replica.discard();
      await target.stop();
    });

    it('naughty strings are kept as they are, or refused by the right name', async (context) => {
      const requests = Object.entries(PLACES).flatMap(([place, send]) =>
        STRINGS.map((text) => ({ place, send, text })),
      );
      const found = await inParallel(requests, async ({ place, send, text }) => {
        const problem = await send(replica.caller, text);
        return problem && `${place}: ${JSON.stringify(text.slice(0, 60))}: ${problem.slice(0, 200)}`;
      });
      const problems = found.filter((problem) => problem !== undefined);
      const kept = STRINGS.filter((text) => codesOf(text).length === 0);
      const [row] = await target.query('SELECT count(*) AS count FROM pets');
      note(context, {
        promise: 26,
        line: `${engine}: ${STRINGS.length} strings in ${Object.keys(PLACES).length} places: ${kept.length} names kept, ${problems.length} problems`,
        figures: {
          strings: STRINGS.length,
          requests: requests.length,
          kept: kept.length,
          problems: problems.length,
        },
        kept: problems.length + replica.surprises.length === 0,
      });
      expect([problems, replica.surprises, Number(row!['count'])]).toEqual([[], [], kept.length]);
    });
  });
}
