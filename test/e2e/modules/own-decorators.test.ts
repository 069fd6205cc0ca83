import { gzipSync } from 'node:zlib';
import {
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  Query,
  Req,
  UploadedFile,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes, ApiQuery } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import express, { type Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import {
  Paged,
  PageQuery,
  type Paging,
  readsOnlyDeclared,
  requestOf,
} from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';

type LampRequest = Request<Record<string, string>, unknown, Record<string, unknown> | undefined>;

/** Decorators as in Nest's documentation. */
const Order = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<LampRequest>().query['order'],
);
const Sent = createParamDecorator((field: string | undefined, context: ExecutionContext) => {
  const { body } = context.switchToHttp().getRequest<LampRequest>();
  return field === undefined ? body : body?.[field];
});
/** A decorator that says what it reads. */
const Colour = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) => requestOf(context).query['colour']),
);

class LampBody {
  @IsInt()
  watts!: number;
}

class ListLampsQuery extends PageQuery {
  @IsOptional()
  @IsString()
  room?: string;
}

/** Reads the body, which is available after the check of the key. */
class BrightGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return Number(requestOf(context).body?.['watts']) < 100;
  }
}

@Controller('lamps')
class LampsController {
  @Get()
  list(@Query() query: ListLampsQuery, @Order() order: unknown, @Paged() page: Paging) {
    const items = [{ order, ...(query.room !== undefined && { room: query.room }) }];
    return page(
      query,
      async () => ({ items: items as never[] }),
      (lamp) => lamp,
    );
  }

  @Get('ordered')
  ordered(@Order() order: unknown, @Query('room') room: string) {
    return { order, room };
  }

  @Get('coloured')
  @ApiQuery({ name: 'colour' })
  coloured(@Colour() colour: unknown, @Query('room') room: string) {
    return { colour, room };
  }

  @Get('asked')
  asked(@Req() request: Request) {
    return request.query;
  }

  @Post()
  add(@Sent() body: unknown, @Sent('name') name: unknown) {
    return { body: body ?? 'none', name };
  }

  @Post('judged')
  judged(@Sent(new ValidationPipe({ validateCustomDecorators: true })) body: LampBody) {
    return { watts: body.watts };
  }

  @Post('refused')
  refused(@Sent() _body: unknown) {
    throw new InvalidInput([{ field: 'watts', code: 'out_of_range', message: 'must be less' }]);
  }

  @Post('asked')
  async take(@Req() request: Request) {
    if (request.body !== undefined) return { body: request.body as unknown };
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    return { bytes };
  }

  @Post('photos')
  @UseInterceptors(FileInterceptor('photo'))
  photo(@UploadedFile() { size }: { size: number }, @Sent('name') name: unknown) {
    return { size, name };
  }

  @Post('plans')
  @ApiConsumes('text/csv')
  async plan(@Sent() stream: unknown) {
    return { stream: stream ?? 'unread' };
  }

  @Post('bright')
  @UseGuards(BrightGuard)
  bright(@Sent('watts') watts: unknown) {
    return { watts };
  }

  @Post('forms')
  form(@Sent() body: unknown) {
    return body;
  }
}

/** Nest creates this controller anew for each request. */
@Controller('lamps/own')
class OwnLampsController {
  constructor(@Inject(REQUEST) private readonly request: Request) {}

  @Get()
  list() {
    return this.request.query;
  }

  @Post()
  add() {
    return { body: this.request.body as unknown };
  }
}

@Module({ controllers: [OwnLampsController, LampsController] })
class LampsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(express.urlencoded()).forRoutes('v1/lamps/forms');
  }
}

const LIMIT = 1_000;

describe('a parameter decorator of a module', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, {
      environment: { BODY_LIMIT: String(LIMIT) },
      samples: [LampsModule],
    });
  });
  afterAll(() => service.stop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${service.secret}`, ...init.headers },
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const post = (path: string, body?: BodyInit, type = 'application/json', headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body }),
    });

  it('reads the query, whatever the parameters are called', async () => {
    expect(await ask('/lamps/ordered?order=up&room=hall')).toEqual({
      status: 200,
      json: { order: 'up', room: 'hall' },
    });
    expect((await ask('/lamps/asked?any=1')).json).toEqual({ any: '1' });
    expect((await ask('/lamps/own?any=1')).json).toEqual({ any: '1' });
  });

  it('may declare the parameters that it reads, and other parameters are rejected', async () => {
    expect((await ask('/lamps/coloured?colour=red&room=hall')).json).toEqual({ colour: 'red', room: 'hall' });
    const { status, json } = await ask('/lamps/coloured?color=red');
    expect([status, json]).toMatchObject([
      400,
      { code: 'unknown_parameter', message: expect.stringContaining('did you mean colour') as string },
    ]);
  });

  it('does not allow unknown parameters in a query that has a class', async () => {
    expect((await ask('/lamps?room=hall')).json).toEqual([{ room: 'hall' }]);
    expect((await ask('/lamps?stauts=sold')).json).toMatchObject({ code: 'unknown_parameter' });
  });

  it.each([
    ['GET', '/pets?stauts=sold'],
    ['POST', '/pets?stauts=sold'],
    ['GET', '/pets/1?stauts=sold'],
  ])('does not allow unknown parameters in operations of the service: %s %s', async (method, path) => {
    expect((await ask(path, { method })).json).toMatchObject({ code: 'unknown_parameter' });
  });

  it('reads the body, plain and as gzip', async () => {
    const read = { status: 201, json: { body: { name: 'desk' }, name: 'desk' } };
    expect(await post('/lamps', '{"name":"desk"}')).toEqual(read);
    const zipped = gzipSync('{"name":"desk"}');
    expect(await post('/lamps', zipped, 'application/json', { 'Content-Encoding': 'gzip' })).toEqual(read);
    expect((await post('/lamps/own', '[1]')).json).toEqual({ body: [1] });
  });

  it.each<[string, string, string, number, string]>([
    ['malformed JSON', '{', 'application/json', 400, 'invalid_json'],
    ['too many bytes', ' '.repeat(LIMIT + 1), 'application/json', 413, 'payload_too_large'],
    ['another media type', 'desk', 'text/plain', 415, 'unsupported_media_type'],
  ])('gets the errors of a body: %s', async (_, body, type, status, code) => {
    expect(await post('/lamps', body, type)).toMatchObject({ status, json: { code } });
  });

  it('adds the errors of a body to the OpenAPI document', async () => {
    const { json } = await service.stranger.get('/openapi.json');
    const { paths } = json as { paths: Record<string, Record<string, { responses: object }>> };
    const { get, post: add } = paths['/lamps']!;
    expect(Object.keys(add!.responses)).toEqual(expect.arrayContaining(['400', '413', '415']));
    expect(get!.responses).not.toHaveProperty('413');
  });

  it('gets no body from a request without one, and does not wait', async () => {
    const none = { status: 201, json: { body: 'none' } };
    expect(await post('/lamps')).toEqual(none);
    expect(await post('/lamps', undefined, undefined, { 'Content-Type': 'application/json' })).toEqual(none);
    const head = `POST /v1/lamps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.secret}\r\nConnection: close\r\n`;
    for (const rest of [
      '\r\n',
      'Content-Length: 0\r\nContent-Type: text/plain\r\n\r\n',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ])
      expect(await rawRequest(service.port, head + rest)).toMatch(/^HTTP\/1.1 201 [^]*{"body":"none"}$/);
    expect((await ask('/lamps/ordered')).status).toBe(200);
  });

  it('gets the result of its pipe, and the response names the fields that the domain rejects', async () => {
    expect((await post('/lamps/judged', '{"watts":40}')).json).toEqual({ watts: 40 });
    const { status, json } = await post('/lamps/judged', '{"watts":"x"}');
    expect([status, json]).toMatchObject([
      400,
      { code: 'bad_request', message: 'watts must be an integer number' },
    ]);
    expect((await post('/lamps/refused', '{"watts":400}')).json).toMatchObject({
      code: 'validation_failed',
      details: [{ field: '/watts' }],
    });
  });

  it('leaves other media types to a module that reads them', async () => {
    expect((await post('/lamps/asked', '{"name":"desk"}')).json).toEqual({ body: { name: 'desk' } });
    expect((await post('/lamps/asked', '12345', 'image/png')).json).toEqual({ bytes: 5 });
    expect((await post('/lamps/plans', 'a,b', 'text/csv')).json).toEqual({ stream: 'unread' });
    expect((await post('/lamps/plans', 'a,b', 'text/plain')).status).toBe(415);
    expect((await post('/lamps/forms', new URLSearchParams({ name: 'desk' }), FORM)).json).toEqual({
      name: 'desk',
    });
    const form = new FormData();
    form.set('name', 'desk');
    form.set('photo', new Blob(['12345']), 'desk.png');
    const { json } = await ask('/lamps/photos', { method: 'POST', body: form });
    expect(json).toEqual({ size: 5, name: 'desk' });
  });

  it('leaves the body to guards of the module too', async () => {
    expect((await post('/lamps/bright', '{"watts":40}')).json).toEqual({ watts: 40 });
    expect((await post('/lamps/bright', '{"watts":400}')).status).toBe(403);
  });
});

const FORM = 'application/x-www-form-urlencoded';
