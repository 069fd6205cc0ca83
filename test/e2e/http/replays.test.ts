import { Body, Controller, Header, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Idempotent, type Once } from '../../../src/platform/http/index.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const SHOP = 'https://shop.example';

let visits = 0;

@Controller('things')
class ThingsController {
  @Post([':id/visits', ':id/calls'])
  visit(
    @Param('id') id: string,
    @Query('note') note: string | undefined,
    @Body() _body: object,
    @Idempotent() once: Once,
  ) {
    return once(() => ({ id, note, visit: ++visits }));
  }

  @Post('tickets')
  @HttpCode(200)
  @Header('X-Kind', 'ticket')
  @Header('Content-Type', 'text/csv')
  ticket(@Body() _body: object, @Res({ passthrough: true }) response: Response, @Idempotent() once: Once) {
    response.cookie('seen', 'each time');
    return once(() => {
      response.cookie('ticket', `${++visits}`, { httpOnly: true }).cookie('colour', 'red');
      response
        .setHeader('ETag', `"ticket-${visits}"`)
        .setHeader('X-Seats', ['4', '5'])
        .vary('Accept-Language');
      // Headers of one response only, and headers for the rate and the origin of the caller.
      response.setHeader('X-Request-Id', 'of-the-work').setHeader('RateLimit', '"work";r=0;t=1');
      response.setHeader('Access-Control-Allow-Origin', 'https://work.example').setHeader('Date', 'then');
      return 'seat\n4\n';
    });
  }
}

interface Row {
  readonly caller: string;
  readonly operation: string;
  readonly idempotency_key: string;
  readonly body_hash: string;
  readonly answer: string;
}

describe('a request with the Idempotency-Key of an earlier one', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      const things = { module: class Things {}, controllers: [ThingsController] };
      const environment = { CORS_ORIGINS: SHOP, RATE_LIMIT: '1000/h' };
      service = await startService(engine, { environment, samples: [things] });
    });
    afterAll(() => service.stop());

    let keys = 0;
    const freshKey = () => `key-${keys++}`;
    const send = async (path: string, key: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${service.port}/v1/things/${path}`, {
        method: 'POST',
        body: '{}',
        headers: {
          Authorization: `Bearer ${service.secret}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          ...headers,
        },
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const rowOf = async (key: string) => {
      const rows = await service.app.get(DataSource).query<Row[]>('SELECT * FROM stored_answers');
      return rows.find(({ idempotency_key }) => idempotency_key === key)!;
    };
    const store = (key: string, answer: object) =>
      service.app
        .get(DataSource)
        .createQueryBuilder()
        .update('StoredResponse')
        .set({ answer: JSON.stringify(answer) })
        .where({ key })
        .execute();

    it.each([
      ['2/visits', 'path'],
      ['%31/visits', 'path'],
      ['1/calls', 'path'],
      ['1/visits?note=b', 'query'],
      ['1/visits', 'query'],
      ['1/visits?note=%61', 'query'],
    ])('is rejected if its path or query differs: %s', async (path) => {
      const key = freshKey();
      const first = await send('1/visits?note=a', key);
      expect([first.status, JSON.parse(first.text)]).toMatchObject([201, { id: '1', note: 'a' }]);
      const done = visits;
      const other = await send(path, key);
      expect([other.status, JSON.parse(other.text)]).toEqual([
        422,
        {
          code: 'idempotency_key_reused',
          message:
            'The `Idempotency-Key` was used for another request. Choose a new key for each new request.',
          status: 422,
        },
      ]);
      expect(visits).toBe(done);
      const again = await send('1/visits?note=a', key);
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    });

    it('gets the headers that the handler of the first request set, and its own general headers', async () => {
      const key = freshKey();
      const [first, again] = [
        await send('tickets', key, { Origin: SHOP, 'X-Request-Id': 'one' }),
        await send('tickets', key, { Origin: SHOP, 'X-Request-Id': 'two' }),
      ];
      const seen = 'seen=each%20time; Path=/';
      expect(first.headers.getSetCookie()).toEqual([
        seen,
        `ticket=${visits}; Path=/; HttpOnly`,
        'colour=red; Path=/',
      ]);
      expect(again.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
      const { headers, ...answer } = again;
      expect(answer).toEqual({ status: 200, text: first.text });
      for (const name of ['etag', 'x-seats', 'x-kind', 'content-type', 'vary', 'cache-control'])
        expect([name, headers.get(name)]).toEqual([name, first.headers.get(name)]);
      expect(headers.get('vary')).toBe('Origin, Accept-Language, Authorization, Accept');
      expect(headers.get('x-request-id')).toBe('two');
      expect(headers.get('access-control-allow-origin')).toBe(SHOP);
      expect(headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=3600$/);
      expect(Date.parse(headers.get('date')!)).not.toBeNaN();
    });

    // Replicas of both versions share a database during a rolling upgrade, and on the way back.
    it('gets a response that version 2.0 stored without a URL, which is matched by its body only', async () => {
      const key = freshKey();
      await send('1/visits', key);
      const headers = { Location: '/v1/things/1/visits/7', Link: '</v1/things>; rel="first"' };
      await store(key, { status: 201, headers, body: '{"id":"1","visit":7}' });
      for (const path of ['1/visits', '2/visits?note=b']) {
        const again = await send(path, key);
        expect([again.status, again.text]).toEqual([201, '{"id":"1","visit":7}']);
        expect(again.headers.get('location')).toBe(headers.Location);
        expect(again.headers.get('link')).toBe(headers.Link);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      }
    });

    it('is stored in a form that version 2.0 can read', async () => {
      const key = freshKey();
      const first = await send('tickets', key);
      const { answer, ...row } = await rowOf(key);
      expect(row).toMatchObject({
        operation: 'ThingsController.ticket',
        idempotency_key: key,
        body_hash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      });
      expect(JSON.parse(answer)).toEqual({
        status: 200,
        // Version 2.0 passes each value to `setHeader`, which accepts a text or an array.
        headers: {
          'Set-Cookie': first.headers.getSetCookie().slice(1),
          Etag: `"ticket-${visits}"`,
          'X-Seats': ['4', '5'],
          Vary: 'Accept-Language',
        },
        body: '"seat\\n4\\n"',
        method: 'POST',
        path: '/v1/things/tickets',
        query: '',
      });
    });
  }));
