import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { Wire } from '../../support/http/wire.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-many-bodies';
const SIZE = 8 * 1024 * 1024;
const [BEGIN, END] = ['{"name":[1', ']}'];
/** Valid JSON of exactly 8 MB: a list of four million numbers. */
const LIST = gzipSync(BEGIN + ',1'.repeat((SIZE - BEGIN.length - END.length) / 2) + END);
const RIVALS = 64;
const SILENT = 20;

describe('a service with a heap of 256 MB that takes bodies of 8 MB', () => {
  let database: TestDatabase;
  let service: Program;
  let origin: string;
  beforeAll(async () => {
    database = await sqlite.create();
    service = startBundled({
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: SECRET,
      BODY_LIMIT: '8mb',
      NODE_OPTIONS: '--max-old-space-size=256',
    });
    [, origin] = (await service.printed(/Pet Store +(http:\S+)\/v1\n/)) as unknown as [string, string];
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const post = async (body: Buffer | string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json', ...headers },
      body: body as string,
    });
    const { code, message } = (await answer.json()) as { code?: string; message?: string };
    return { status: answer.status, code, message, retryAfter: answer.headers.get('retry-after') };
  };
  /** Sends the list again if its connection was closed, as after 15 s on a machine that is too busy to inflate it. */
  async function postList(): ReturnType<typeof post> {
    try {
      return await post(LIST, { 'Content-Encoding': 'gzip' });
    } catch (error) {
      if (!service.isRunning) throw error;
      return postList();
    }
  }
  const postPet = () => post('{"name":"Rex","categoryId":7}');

  it('checks some of 64 gzip bodies that arrive at once, and returns 503 for the others', async () => {
    const answers = await Promise.all(Array.from({ length: RIVALS }, postList));
    expect(service.isRunning).toBe(true);
    const refused = answers.filter(({ status }) => status === 503);
    for (const answer of refused)
      expect(answer).toEqual({
        status: 503,
        code: 'overloaded',
        message:
          'The service is at its limit of bytes of request bodies. Try again after the time in `Retry-After`.',
        retryAfter: '1',
      });
    const judged = answers.filter(({ status }) => status === 400);
    expect([refused.length > 0, judged.length > 0, refused.length + judged.length]).toEqual([
      true,
      true,
      RIVALS,
    ]);
    // The memory of these bodies is free again.
    expect((await postList()).status).toBe(400);
    expect((await postPet()).status).toBe(201);
  });

  it('serves others while twenty clients announce 8 MB each and send nothing', async () => {
    const wires = await Promise.all(
      Array.from({ length: SILENT }, async () => {
        const wire = await Wire.to(Number(new URL(origin).port));
        wire.send(
          `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${SECRET}\nContent-Type: application/json\n` +
            `Content-Length: ${SIZE}\nExpect: 100-continue\n\n`,
        );
        return wire;
      }),
    );
    // The service waits for the bodies of all of them.
    for (const wire of wires) expect(await wire.answer()).toMatch(/^HTTP\/1.1 100 /);
    expect((await postList()).status).toBe(400);
    expect((await postPet()).status).toBe(201);
    for (const wire of wires) wire.hangUp();
  });
});
