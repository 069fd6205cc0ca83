import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
  Controller,
  Get,
  Header,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  StreamableFile,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Attachment, Public, type SetAttachment } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Names that a client or a database may contain. */
const NAMES = {
  plain: ['rex.pdf', 'attachment; filename=rex.pdf'],
  quoted: ['a "b"; c.pdf', String.raw`attachment; filename="a \"b\"; c.pdf"`],
  accented: ['Pässe.pdf', 'attachment; filename="P?sse.pdf"; filename*=UTF-8\'\'P%C3%A4sse.pdf'],
  euro: ['€.pdf', 'attachment; filename="?.pdf"; filename*=UTF-8\'\'%E2%82%AC.pdf'],
  header: ['a\r\nX-Evil: 1', 'attachment; filename="a??X-Evil: 1"; filename*=UTF-8\'\'a%0D%0AX-Evil%3A%201'],
  path: ['../../etc/passwd', 'attachment; filename=passwd'],
  drive: [String.raw`C:\Users\me\rex.pdf`, 'attachment; filename=rex.pdf'],
  half: ['\ud83d.pdf', 'attachment; filename="?.pdf"; filename*=UTF-8\'\'%EF%BF%BD.pdf'],
  empty: ['', 'attachment'],
  slash: ['/', 'attachment'],
} as const;

const streams: Readable[] = [];
const licence = () => {
  const stream = createReadStream('LICENSE');
  streams.push(stream);
  return new StreamableFile(stream);
};

@Public()
@Controller('downloads')
class DownloadsController {
  @Get('named/:name')
  named(@Param('name') name: keyof typeof NAMES, @Attachment() setAttachment: SetAttachment) {
    setAttachment(NAMES[name][0]);
    return new StreamableFile(Buffer.from('bytes'));
  }

  @Get('missing')
  @Header('ETag', '"1"')
  missing(@Attachment() setAttachment: SetAttachment) {
    setAttachment('rex.pdf');
    throw new NotFoundException();
  }

  @Get('streamed')
  streamed() {
    return licence();
  }

  @Get('tagged')
  @Header('ETag', '"1"')
  @Header('Cache-Control', 'private, max-age=60')
  tagged() {
    return licence();
  }

  @Get('nothing')
  nothing() {
    return new StreamableFile(Buffer.alloc(0));
  }

  @Post('made')
  @HttpCode(200)
  made() {
    return new StreamableFile(Buffer.from('bytes'));
  }
}

describe('a download', () => {
  let service: Service;
  beforeAll(async () => {
    const downloads = { module: class Downloads {}, controllers: [DownloadsController] };
    service = await startService(sqlite, { samples: [downloads] });
  });
  afterAll(() => service.stop());

  // Without the checking client, because the document does not describe these responses.
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.stranger.origin}/v1/downloads/${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each(Object.entries(NAMES))('has a name that is safe in a header: %s', async (name, [, disposition]) => {
    const { status, headers } = await ask(`named/${name}`);
    expect([status, headers.get('content-disposition')]).toEqual([200, disposition]);
    expect(headers.has('x-evil')).toBe(false);
  });

  it('that fails does not have the headers of its content', async () => {
    const { status, headers } = await ask('missing');
    expect([status, headers.get('content-disposition'), headers.get('etag')]).toEqual([404, null, null]);
  });

  it('of a stream can be stored by its client, and has no entity tag', async () => {
    const { status, headers, text } = await ask('streamed', { headers: { 'If-None-Match': '*' } });
    expect([status, text]).toEqual([200, readFileSync('LICENSE', 'utf8')]);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Accept']);
    expect(headers.has('etag')).toBe(false);
  });

  it('of a stream has the headers that its handler sets, and is not read for a client that has it', async () => {
    const first = await ask('tagged');
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    const again = await ask('tagged', { headers: { 'If-None-Match': '"1"' } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', '"1"']);
    expect(streams.at(-1)!.destroyed).toBe(true);
    expect((await ask('tagged', { headers: { 'If-None-Match': '"2"' } })).status).toBe(200);
  });

  it('may be empty', async () => {
    const { status, headers, text } = await ask('nothing');
    expect([status, headers.get('content-length'), text]).toEqual([200, '0', '']);
  });

  it('has an entity tag only as the response to a read', async () => {
    const { status, headers, text } = await ask('made', { method: 'POST' });
    expect([status, headers.has('etag'), text]).toEqual([200, false, 'bytes']);
  });
});
