import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Body, Controller, Post, Req, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-uploads-'));

@ApiConsumes('multipart/form-data')
@Controller('scans')
class ScansController {
  @Post('kept')
  @UseInterceptors(FileInterceptor('scan'))
  kept(@UploadedFile() { size }: { size: number }, @Body() _rest: unknown) {
    return { size };
  }

  @Post('stored')
  @UseInterceptors(FileInterceptor('scan', { dest: folder }))
  stored(@UploadedFile() { size }: { size: number }, @Body() _rest: unknown) {
    return { size };
  }

  @Post('read')
  async read(@Req() scan: Request, @Body() _rest: unknown) {
    let size = 0;
    for await (const chunk of scan) size += (chunk as Buffer).length;
    return { size };
  }
}

const LIMIT = 64 * 1024;
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
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

  /** Sends it in chunks, without saying how long it is, as fast as it is taken. */
  const send = async (path: string, parts: Iterable<string | Buffer>) => {
    const sent = request({
      port: service.port,
      path: `/v1/scans/${path}`,
      method: 'POST',
      agent: false,
      headers: { Authorization: `Bearer ${service.secret}`, 'Content-Type': TYPE },
    });
    let answer: IncomingMessage | undefined;
    sent.on('response', (response) => (answer = response));
    const response = once(sent, 'response');
    // What comes after the answer may not be taken any more.
    sent.on('error', () => undefined);
    for (const part of parts) {
      if (answer) break;
      if (!sent.write(part)) await Promise.race([once(sent, 'drain'), response]);
    }
    sent.end();
    await response;
    return { status: answer!.statusCode, body: JSON.parse(await text(answer!)) as unknown };
  };
  const large = () => [HEAD, ...Array.from({ length: 60 }, () => MEGABYTE), TAIL];
  const refused = {
    status: 413,
    body: {
      code: 'payload_too_large',
      status: 413,
      message: `The body is too large. At most ${LIMIT} bytes are read.`,
    },
  };

  it.each(['kept', 'read'])('is taken up to the limit, to the byte: %s', async (path) => {
    const size = LIMIT - HEAD.length - TAIL.length;
    const whole = (bytes: number) => [HEAD, 'x'.repeat(bytes), TAIL];
    const answer = await send(path, whole(size));
    expect(answer.status).toBe(201);
    expect(await send(path, whole(size + 1))).toEqual(refused);
  });

  it('of 60 MB is refused when it passes the limit, and leaves no file behind', async () => {
    const before = readdirSync(folder).length;
    expect(await send('stored', large())).toEqual(refused);
    await eventually(() => Promise.resolve(readdirSync(folder).length === before));
  });
});
