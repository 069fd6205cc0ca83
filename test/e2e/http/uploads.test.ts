import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Body, Controller, Post, Req, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyMemory } from '../../support/rooms/http.js';
import { BodyLimit } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Wire } from '../../support/http/wire.js';
import { type Service, startService } from '../../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-uploads-'));

/** The number of bytes that came through a pipe. */
let piped = 0;

@ApiConsumes('multipart/form-data')
@Controller('scans')
class ScansController {
  /** Reads only the beginning of the upload. */
  @Post('begun')
  async begun(@Req() scan: Request) {
    const byte = await new Promise<Buffer>((resolve) =>
      scan.once('readable', () => resolve(scan.read(1) as Buffer)),
    );
    return { beginning: byte.toString() };
  }

  /** Does not notice when the request fails. */
  @Post('piped')
  piped(@Req() scan: Request) {
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        piped += chunk.length;
        done();
      },
    });
    return new Promise((resolve) => scan.pipe(sink).on('finish', () => resolve({ size: piped })));
  }

  @Post('kept')
  @UseInterceptors(FileInterceptor('scan'))
  kept(@UploadedFile() { size }: { size: number }, @Body() _rest: unknown) {
    return { size };
  }

  @Post('stored')
  @BodyLimit('64mb')
  @UseInterceptors(FileInterceptor('scan', { dest: folder }))
  stored(@UploadedFile() { size }: { size: number }) {
    return { size };
  }

  @Post('read')
  @BodyLimit('128kb')
  async read(@Req() scan: Request, @Body() _rest: unknown) {
    let size = 0;
    for await (const chunk of scan) size += (chunk as Buffer).length;
    return { size };
  }

  @Post('small')
  @BodyLimit('1kb')
  @UseInterceptors(FileInterceptor('scan', { limits: { fileSize: 500 } }))
  small(@UploadedFile() { size }: { size: number }) {
    return { size };
  }
}

const KB = 1024;
const LIMIT = 64 * KB;
const TYPE = 'multipart/form-data; boundary=b';
const HEAD = '--b\r\nContent-Disposition: form-data; name="scan"; filename="scan.png"\r\n\r\n';
const TAIL = '\r\n--b--\r\n';

describe('an upload', () => {
  let service: Service;
  beforeAll(async () => {
    const scans = { module: class Scans {}, controllers: [ScansController] };
    const environment = { BODY_LIMIT: String(LIMIT) };
    service = await startService(sqlite, { environment, samples: [scans] });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** A form of this number of bytes. */
  const form = (bytes: number) => HEAD + 'x'.repeat(bytes - HEAD.length - TAIL.length) + TAIL;
  const headers = () => ({ Authorization: `Bearer ${service.secret}`, 'Content-Type': TYPE });
  const send = async (path: string, body: BodyInit, more: object = {}) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/scans/${path}`, {
      method: 'POST',
      headers: headers(),
      body,
      ...more,
    });
    return { status: answer.status, json: (await answer.json()) as object };
  };
  const tooLarge = (limit: number) => ({
    status: 413,
    json: {
      code: 'payload_too_large',
      status: 413,
      message: `The body is too large. At most ${limit} bytes are read.`,
    },
  });
  const memory = () => service.app.get(BodyMemory);
  const holdsNothing = () => eventually(() => Promise.resolve(memory().held === 0));
  /** The beginning of a request whose body the test sends. */
  const head = (path: string, more: string) =>
    `POST /v1/scans/${path} HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\nContent-Type: ${TYPE}\n${more}\n\n`;

  it.each([
    ['kept', LIMIT],
    ['read', 128 * KB],
    ['stored', 200 * KB],
  ])('is accepted up to the limit of its route, above BODY_LIMIT too: %s', async (path, bytes) => {
    expect((await send(path, form(bytes))).status).toBe(201);
    await holdsNothing();
  });

  it.each([
    ['kept', LIMIT],
    ['read', 128 * KB],
    ['small', KB],
  ])('of one byte more is rejected by its Content-Length, below BODY_LIMIT too: %s', async (path, bytes) => {
    expect(await send(path, form(bytes + 1))).toEqual(tooLarge(bytes));
    expect(memory().held).toBe(0);
  });

  it('within the limit of its route may be rejected by the limit of multer', async () => {
    const { status, json } = await send('small', form(900));
    expect([status, json]).toEqual([
      413,
      { code: 'payload_too_large', status: 413, message: 'File too large' },
    ]);
    await holdsNothing();
  });

  it('without Content-Length is rejected, and the connection stays open', async () => {
    const wire = await Wire.to(service.port);
    wire.send(head('kept', 'Transfer-Encoding: chunked'));
    wire.send('3\n--b\n0\n\n');
    const answer = await wire.answer();
    expect(answer).toMatch(/^HTTP\/1.1 411 Length Required\r\n[^]*Connection: keep-alive/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({
      code: 'length_required',
      message: 'The upload has no `Content-Length`. Send this header.',
      status: 411,
    });
    wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
    expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 /);
    wire.hangUp();
  });

  it('gets 100 Continue when the client expects it', async () => {
    const body = form(KB);
    const wire = await Wire.to(service.port);
    wire.send(head('kept', `Expect: 100-continue\nContent-Length: ${body.length}`));
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 100 Continue/);
    wire.send(body);
    expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 201 /);
    wire.hangUp();
  });

  it('is counted as it arrives, and released when its client leaves', async () => {
    const files = readdirSync(folder).length;
    const wire = await Wire.to(service.port);
    wire.send(head('stored', `Content-Length: ${60 * KB * KB}`));
    wire.send(HEAD);
    await eventually(() => Promise.resolve(memory().held === HEAD.length));
    wire.hangUp();
    await holdsNothing();
    await eventually(() => Promise.resolve(readdirSync(folder).length === files));
  });

  it('is not counted after the response if its handler does not read to the end', async () => {
    const body = form(LIMIT);
    const wire = await Wire.to(service.port);
    wire.send(head('begun', `Content-Length: ${body.length}`));
    wire.send(body.slice(0, KB));
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 201 [^]*{"beginning":"-"}/);
    wire.send(body.slice(KB));
    wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
    expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 /);
    expect(memory().held).toBe(0);
    wire.hangUp();
  });

  it('is not passed on to a pipe after it is rejected', async () => {
    const { limit } = memory();
    memory().change(limit - KB);
    const { status, json } = await send('piped', form(LIMIT));
    memory().change(KB - limit);
    expect([status, json]).toMatchObject([503, { code: 'overloaded' }]);
    await holdsNothing();
    expect(piped).toBeLessThan(LIMIT);
  });

  it.each(['kept', 'stored', 'read'])(
    'is rejected when other requests hold almost all of the memory for bodies, and leaves no file behind: %s',
    async (path) => {
      const [{ limit }, files] = [memory(), readdirSync(folder).length];
      memory().change(limit - KB);
      expect(await send(path, form(LIMIT))).toEqual({
        status: 503,
        json: {
          code: 'overloaded',
          status: 503,
          message:
            'The service is at its limit of bytes of request bodies. Try again after the time in `Retry-After`.',
        },
      });
      await eventually(() => Promise.resolve(memory().held === limit - KB));
      expect((await send(path, form(900))).status).toBe(201);
      await eventually(() => Promise.resolve(memory().held === limit - KB));
      memory().change(KB - limit);
      expect((await send(path, form(LIMIT))).status).toBe(201);
      await eventually(() =>
        Promise.resolve(readdirSync(folder).length === files + (path === 'stored' ? 2 : 0)),
      );
      await holdsNothing();
    },
  );
});
