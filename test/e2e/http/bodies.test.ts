import { gzipSync } from 'node:zlib';
import { Body, Controller, Post, RawBody } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyMemory } from '../../support/rooms/http.js';
import { BodyLimit } from '../../../src/platform/http/index.js';
import { existing, sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

const KB = 1024;

@Controller('tallies')
class TalliesController {
  @Post('usual')
  usual(@Body() tally: unknown[]) {
    return { items: tally.length };
  }

  @Post('large')
  @BodyLimit('300kb', { values: 50_000 })
  large(@Body() tally: unknown[], @RawBody() bytes: Buffer) {
    return { items: tally.length, bytes: bytes.length };
  }

  @Post('long')
  @BodyLimit('300kb')
  long(@Body() tally: unknown[]) {
    return { items: tally.length };
  }

  @Post('small')
  @BodyLimit('1kb', { values: 10 })
  small(@Body() tally: unknown[]) {
    return { items: tally.length };
  }
}

describe('the JSON body of a route', () => {
  let service: Service;
  beforeAll(async () => {
    const tallies = { module: class Tallies {}, controllers: [TalliesController] };
    service = await startService(sqlite, { environment: { BODY_LIMIT: '200kb' }, samples: [tallies] });
  });
  afterAll(() => service.stop());

  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/tallies/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.secret}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: headers['Content-Encoding'] ? gzipSync(body) : body,
    });
    const json = (await answer.json()) as { code?: string; message?: string };
    return { status: answer.status, json, headers: answer.headers };
  };
  /** A list with this number of values, itself included. */
  const list = (values: number) => `[${Array.from({ length: values - 1 }, () => 1).join()}]`;
  const filled = (bytes: number) => list(3).padEnd(bytes);
  const refusal = ({ json: { code, message } }: Awaited<ReturnType<typeof send>>) => [code, message];
  const tooMany = (values: number) => [
    'invalid_json',
    `The body is not acceptable JSON: it has more than ${values} values.`,
  ];
  const tooLong = (bytes: number) => [
    'payload_too_large',
    `The body is too large. At most ${bytes} bytes are read.`,
  ];

  it('has at most 20,000 values, whatever BODY_LIMIT is', async () => {
    expect((await send('usual', list(20_000))).json).toEqual({ items: 19_999 });
    expect(refusal(await send('usual', list(20_001)))).toEqual(tooMany(20_000));
  });

  it('may have more values and more bytes if the route allows both', async () => {
    const body = list(50_000).padEnd(300 * KB);
    expect((await send('large', body)).json).toEqual({ items: 49_999, bytes: 300 * KB });
    expect(refusal(await send('large', list(50_001)))).toEqual(tooMany(50_000));
    expect(refusal(await send('large', filled(300 * KB + 1)))).toEqual(tooLong(300 * KB));
  });

  it('may have more bytes, but not more values, if the route allows more bytes', async () => {
    expect((await send('long', filled(300 * KB))).status).toBe(201);
    expect(refusal(await send('long', list(20_001)))).toEqual(tooMany(20_000));
  });

  it('may have fewer values and bytes if the route allows fewer', async () => {
    expect((await send('small', list(10))).status).toBe(201);
    expect(refusal(await send('small', list(11)))).toEqual(tooMany(10));
    expect(refusal(await send('small', filled(KB + 1)))).toEqual(tooLong(KB));
    const gzip = { 'Content-Encoding': 'gzip' };
    expect((await send('small', filled(KB), gzip)).status).toBe(201);
    expect(refusal(await send('small', filled(KB + 1), gzip))).toEqual(tooLong(KB));
  });

  it('may have any parameter with its media type', async () => {
    for (const parameter of ['version=1', 'charset=latin1', 'charset="utf-8"; q=1', '', 'profile="a;b"'])
      expect((await send('usual', '[]', { 'Content-Type': `application/json; ${parameter}` })).status).toBe(
        201,
      );
    // ISO 8859-1: only UTF-8 is read.
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/tallies/usual`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.secret}`,
        'Content-Type': 'application/json; charset=latin1',
      },
      body: Buffer.from('["Réx"]', 'latin1'),
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'invalid_json']);
  });

  it('is rejected with another media type', async () => {
    const { status, json, headers } = await send('usual', '[]', { 'Content-Type': 'text/json' });
    expect([status, json.code, headers.get('accept')]).toEqual([
      415,
      'unsupported_media_type',
      'application/json',
    ]);
  });

  it('is rejected with two media types, even if both are JSON', async () => {
    const type = 'Content-Type: application/json';
    const head = `POST /v1/tallies/usual HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}`;
    const answer = await rawRequest(
      service.port,
      `${head}\n${type}\n${type}\nContent-Length: 2\nConnection: close\n\n[]`.replaceAll('\n', '\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1.1 415 /);
  });

  it('is rejected when other requests hold almost all of the memory for bodies', async () => {
    const memory = service.app.get(BodyMemory);
    await eventually(() => Promise.resolve(memory.held === 0));
    memory.change(memory.limit - 250 * KB);
    const { status, json, headers } = await send('large', filled(251 * KB));
    expect([status, headers.get('retry-after'), json]).toEqual([
      503,
      '1',
      {
        code: 'overloaded',
        message:
          'The service is at its limit of bytes of request bodies. Try again after the time in `Retry-After`.',
        status: 503,
      },
    ]);
    // A gzip body needs memory for the limit of its route.
    expect((await send('large', list(3), { 'Content-Encoding': 'gzip' })).status).toBe(503);
    expect((await send('small', list(3), { 'Content-Encoding': 'gzip' })).status).toBe(201);
    memory.change(250 * KB - memory.limit);
    await eventually(() => Promise.resolve(memory.held === 0));
  });
});

it('A route that takes more than a quarter of the heap stops the start, and the error says what to do', async ({
  onTestFinished,
}) => {
  @Controller('piles')
  class PilesController {
    @Post()
    @BodyLimit('900000mb')
    add(@Body() pile: object) {
      return pile;
    }
  }
  const database = await sqlite.create();
  onTestFinished(() => database.drop());
  const samples = [{ module: class Piles {}, controllers: [PilesController] }];
  await expect(startService(existing(database), { samples })).rejects.toThrow(
    /^@BodyLimit on PilesController.add is 900000mb, but all bodies together may hold [\d.]+ MB, a quarter of the heap\. Lower the limit, or raise/,
  );
});
