import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** Fails in the ways that a handler can. */
@Public()
@Controller({ path: 'failing', version: VERSION_NEUTRAL })
class FailingController {
  constructor(private readonly source: DataSource) {}

  @Get('bug')
  bug() {
    throw new TypeError('canary: /etc/passwd');
  }

  @Get('sql')
  sqlFault() {
    return this.source.query('SELECT canary FROM pets');
  }
}

describe('the service', () => {
  let service: Service;
  beforeAll(async () => {
    const failing = { module: class Failing {}, controllers: [FailingController] };
    service = await startService(sqlite, { modules: [failing] });
  });
  afterAll(() => service.stop());

  it.each(['bug', 'sql'])('returns 500 for its own fault (%s), and reveals nothing', async (what) => {
    const answer = await service.stranger.get(`/failing/${what}`);
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      code: 'internal_error',
      message:
        'An error occurred inside the service. Try again later, and send a POST only with an `Idempotency-Key`. Report the `X-Request-Id` to the operator.',
      status: 500,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/v1', '/v1/cats', '/v1/Pets', '/v1/pets/', '//v1/pets', '/v2/pets', '/v1/pets/%zz'])(
    'returns 404 for the unknown path %s',
    async (target) => {
      const answer = await service.client.get(target);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'route_not_found', status: 404 });
    },
  );
});
