import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startHanging } from '../../support/built-service.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Caller } from '../support/load/caller.js';
import { Pipeline } from '../support/load/pipeline.js';
import { HANG } from '../support/load/raw-sockets.js';
import { Tally } from '../support/load/tally.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';

/** In ms. */
const MEASURE = size(4_000, 20_000);
/** Requests per second of the client with a key, each on a new connection. */
const RATE = 20;
const request = (line: string) => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`;

const COUNT = 100_000;
/** In MB. */
const MOST_MEMORY = 20;
const USED = /^(\d+) bytes are used$/m;

const PAGE = request('GET /docs/guide');
const CLIENTS = 4;
const PAGES = 200;
const ROUNDS = size(5, 50);

describe('clients that pipeline and have no key', () => {
  let database: TestDatabase;
  let replica: Replica;
  beforeAll(async () => {
    database = await sqlite.create();
    const script = resolve(import.meta.dirname, '../support/servers/collect-garbage.mjs');
    replica = await Replica.start(database.url, { NODE_OPTIONS: `--import=${script}` }, startHanging);
    await replica.caller.get('/v1/pets');
  });
  afterAll(async () => {
    await replica.discard();
    await database.drop();
  });

  /** Sends a request on a new connection. */
  async function askAnew() {
    const caller = new Caller(replica.origin);
    try {
      return await caller.get('/v1/pets?limit=20');
    } finally {
      caller.close();
    }
  }

  it.for(['GET /x', 'GET /v1/pets', 'OPTIONS *', 'GET /readyz'])(
    'on one connection do not keep others from their responses: %s',
    async (line, context) => {
      const flood = await Pipeline.open(replica.port, request(line));
      const tally = new Tally();
      const answers: Promise<unknown>[] = [];
      for (let sent = 0; sent < (MEASURE / 1_000) * RATE; sent++) {
        answers.push(tally.of(askAnew()));
        await sleep(1_000 / RATE);
      }
      await Promise.all(answers);
      flood.destroy();
      const share = tally.count(200) / tally.total;
      note(context, {
        promise: 30,
        line: `${flood.answered} times ${line} pipelined on one connection: ${(share * 100).toFixed(1)} % of others served (${tally}), half within ${tally.took(200, 0.5)} ms, 99 % within ${tally.took(200, 0.99)} ms`,
        kept: share >= 0.95,
      });
      const { expect } = context;
      expect(share, `${tally}`).toBeGreaterThanOrEqual(0.95);
      // With fewer responses the flood would not be a test.
      expect(flood.answered).toBeGreaterThan(100);
      expect(replica.surprises).toEqual([]);
    },
  );

  /** In MB: the memory of the service without garbage, once it is stable. */
  async function settledMemory(): Promise<number> {
    for (let before = Number.NaN; ; await sleep(500)) {
      const printed = replica.output.length;
      process.kill(replica.pid, 'SIGURG');
      await eventually(async () => USED.test(replica.output.slice(printed)));
      const now = Number(USED.exec(replica.output.slice(printed))![1]) / 1_048_576;
      if (Math.abs(now - before) < 0.5) return now;
      before = now;
    }
  }

  it('use little memory, however many requests they send', async (context) => {
    const before = await settledMemory();
    const pipeline = await Pipeline.open(replica.port, request('GET /x'), { times: COUNT, first: HANG });
    const growth = Math.round((await settledMemory()) - before);
    // The first request still waits.
    context.expect([pipeline.isOpen, pipeline.answered]).toEqual([true, 0]);
    pipeline.destroy();
    note(context, {
      promise: 30,
      line: `${COUNT} requests behind one that is not answered: +${growth} MB`,
      kept: growth <= MOST_MEMORY,
    });
    context.expect(growth).toBeLessThanOrEqual(MOST_MEMORY);
  });

  /** The number of open files, once it is stable because the service cannot send more. */
  async function settledFiles(): Promise<number> {
    for (let before = Number.NaN; ; await sleep(200)) {
      const now = replica.openFiles;
      if (now === before) return now;
      before = now;
    }
  }

  it('keep no files open when they leave without reading', async (context) => {
    const { expect } = context;
    expect((await replica.caller.get('/docs/guide')).status).toBe(200);
    const before = replica.openFiles;
    let most = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, () =>
          Pipeline.open(replica.port, PAGE, { times: PAGES, reads: false }),
        ),
      );
      await eventually(async () => clients.every(({ hasReceived }) => hasReceived));
      most = Math.max(most, await settledFiles());
      for (const client of clients) client.destroy();
    }
    const isAsBefore = await eventually(async () => replica.openFiles <= before, 20_000).then(
      () => true,
      () => false,
    );
    const left = replica.openFiles;
    const { status } = await replica.caller.get('/docs/guide');
    note(context, {
      promise: 30,
      line: `${ROUNDS} times ${CLIENTS} clients that pipeline ${PAGES} pages, read nothing and leave: ${before} files open before, up to ${most} meanwhile, ${left} afterwards; then the page is ${status}`,
      kept: isAsBefore && status === 200,
    });
    expect([isAsBefore, status]).toEqual([true, 200]);
  });
});
