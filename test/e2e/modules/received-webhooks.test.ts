import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Post,
  RawBody,
  type RawBodyRequest,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { IsObject, IsString, Length } from 'class-validator';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../../src/kernel/index.js';
import { ApiErrors, ApiException, BodyLimit, Public, requestOf } from '../../../src/platform/http/index.js';
import { openApiDocument } from '../../../tools/openapi/openapi-document.js';
import type { Operation } from '../../../tools/openapi/openapi-types.js';
import { RunningClock } from '../../support/clocks.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const SECRET = Buffer.from('a secret of 32 bytes, base64-ed.');
const MAX_AGE_SECONDS = 300;

/** HMAC-SHA256 of the id, the time and the body (Standard Webhooks 1.0.0, "Signature scheme"). */
const signatureOf = (id: string, seconds: string, body: Buffer) =>
  createHmac('sha256', SECRET).update(`${id}.${seconds}.`).update(body).digest();

/** Lets a webhook pass if its signature is right and at most five minutes old. */
@Injectable()
class SignatureGuard implements CanActivate {
  constructor(private readonly clock: Clock) {}

  canActivate(context: ExecutionContext): true {
    const { headers, rawBody } = requestOf<RawBodyRequest<Request>>(context);
    const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers;
    if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string')
      throw unsigned();
    const age = Math.abs(this.clock.now() / 1_000 - Number(seconds));
    const right = signatureOf(id, seconds, rawBody!);
    // While a sender changes its secret, it sends two signatures.
    const isRight = signatures.split(' ').some((one) => {
      const [version, text = ''] = one.split(',');
      const sent = Buffer.from(text, 'base64');
      return version === 'v1' && sent.length === right.length && timingSafeEqual(sent, right);
    });
    // NaN, for a time that is no number, is not in time either.
    if (!(age <= MAX_AGE_SECONDS) || !isRight) throw unsigned();
    return true;
  }
}

const unsigned = () =>
  new ApiException('forbidden', 'The signature of this webhook is missing, wrong or too old.');

/** The members of a CloudEvent that the module needs. */
class CarrierEvent {
  @IsString()
  @Length(1, 200)
  id!: string;

  @IsString()
  type!: string;

  @IsObject()
  data!: object;
}

const received: CarrierEvent[] = [];

@Public()
@Controller('carrier-events')
class CarrierEventsController {
  @Post()
  @HttpCode(204)
  @ApiConsumes('application/cloudevents+json')
  @ApiErrors('forbidden')
  @BodyLimit('64kb')
  @UseGuards(SignatureGuard)
  receive(@Body() event: CarrierEvent): void {
    received.push(event);
  }

  @Post('tables')
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string' } })
  table(@RawBody() bytes: Buffer) {
    return { text: bytes.toString() };
  }
}

describe('a webhook that a module receives', () => {
  let service: Service;
  const clock = new RunningClock();
  beforeAll(async () => {
    const carriers = { module: class Carriers {}, controllers: [CarrierEventsController] };
    service = await startService(sqlite, { samples: [carriers], clock });
  });
  afterAll(() => service.stop());

  const BODY = JSON.stringify({ id: 'e1', type: 'example.delivered', data: { parcel: 7 } });
  interface Sent {
    readonly body?: string;
    readonly type?: string;
    readonly at?: number;
    readonly signed?: string;
    readonly signatures?: (right: string) => string;
  }
  const send = ({ body = BODY, type = 'application/cloudevents+json', ...sent }: Sent = {}) => {
    const seconds = String(Math.floor((sent.at ?? clock.now()) / 1_000));
    const right = signatureOf('msg_1', seconds, Buffer.from(sent.signed ?? body)).toString('base64');
    const headers = {
      'Content-Type': type,
      'webhook-id': 'msg_1',
      'webhook-timestamp': seconds,
      'webhook-signature': sent.signatures?.(`v1,${right}`) ?? `v1,${right}`,
    };
    return fetch(`${service.stranger.origin}/v1/carrier-events`, { method: 'POST', headers, body });
  };

  it('passes with a right signature and the media type that the route declares', async () => {
    expect((await send()).status).toBe(204);
    expect(received.at(-1)).toEqual({ id: 'e1', type: 'example.delivered', data: { parcel: 7 } });
    expect((await send({ signatures: (right) => `v1a,unknown v1,AAAA ${right}` })).status).toBe(204);
    expect((await send({ type: 'application/cloudevents+json; charset=utf-8' })).status).toBe(204);
  });

  it.each<[string, Sent]>([
    ['another body', { signed: '{}' }],
    ['a signature that is too old', { at: Date.now() - 301_000 }],
    ['a signature of the future', { at: Date.now() + 310_000 }],
    ['no signature', { signatures: () => '' }],
    ['a signature of another kind', { signatures: (right) => right.replace('v1,', 'v2,') }],
  ])('is rejected with %s', async (_, sent) => {
    const before = received.length;
    const answer = await send(sent);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
    expect(received.length).toBe(before);
  });

  it('is rejected with another media type, which names the right one', async () => {
    const answer = await send({ type: 'application/json' });
    expect([answer.status, answer.headers.get('accept')]).toEqual([415, 'application/cloudevents+json']);
  });

  it('is checked as JSON', async () => {
    const answer = await send({ body: '{"id": 1' });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'invalid_json']);
  });

  it('may have a type that is not JSON, and is not parsed then', async () => {
    const path = `${service.stranger.origin}/v1/carrier-events/tables`;
    const post = (type: string) =>
      fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body: 'a;b' });
    expect(await (await post('text/csv')).json()).toEqual({ text: 'a;b' });
    expect((await post('application/json')).status).toBe(415);
  });

  it('has its media type and its fields in the document', () => {
    const { paths, components } = openApiDocument(service.app);
    const { requestBody, security } = paths['/carrier-events']!.post as Operation;
    const schema = { $ref: '#/components/schemas/CarrierEvent' };
    expect(requestBody).toMatchObject({ content: { 'application/cloudevents+json': { schema } } });
    expect(security).toEqual([]);
    expect(components!.schemas!['CarrierEvent']).toMatchObject({ additionalProperties: false });
  });
});
