import { Controller, Get, Module, Param, Post, Query, Version, VERSION_NEUTRAL } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Deprecated,
  IdField,
  ListOperation,
  Location,
  Operation,
  Paged,
  PageQuery,
  type Paging,
  type SetLocation,
} from '../../../src/platform/http/index.js';
import { Routes } from '../../support/rooms/http.js';
import { addressesIn } from '../../../tools/openapi/addresses.js';
import { linked } from '../../support/api-client.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

class FlightBody {
  @IdField({ description: 'Identifier of the flight.', example: 1 })
  id!: bigint;
}
class ListFlightsQuery extends PageQuery {}

const two = async ({ after }: { after?: { id: bigint } | undefined }) =>
  after ? { items: [{ id: 1n }] } : { items: [{ id: 2n }], next: { id: 2n } };

const OLD = {
  since: '2026-11-20',
  sunset: '2030-12-05',
  successor: () => ({ path: '/v2/flights', parameters: { limit: 1 } }),
};

/** A list and a creation at every kind of URL. */
@Controller({ path: 'flights', version: ['1', '2', 'beta', VERSION_NEUTRAL] })
class FlightsController {
  @Get()
  @ListOperation('flights', { name: 'listFlights', body: FlightBody, listName: 'Flights' })
  list(@Query() query: ListFlightsQuery, @Paged() page: Paging) {
    return page(query, two, (flight) => flight);
  }

  @Post()
  @Operation({
    name: 'addFlight',
    summary: 'Adds a flight.',
    description: 'Always the seventh.',
    success: { status: 201, description: 'It is added.' },
  })
  add(@Location() setLocation: SetLocation): void {
    setLocation(7n);
  }

  @Get('old')
  @Version('1')
  @Deprecated(OLD)
  old() {}
}

@Controller('gates')
class GatesController {
  @Get(':from-:to')
  @Version(['1', '2', VERSION_NEUTRAL])
  between(@Param('from') from: string, @Param('to') to: string) {
    return { from, to };
  }

  @Get('hidden')
  @ApiExcludeEndpoint()
  hidden() {}

  @Post()
  add(@Location() setLocation: SetLocation): void {
    setLocation(7n);
  }
}

@Module({ controllers: [GatesController] })
class GatesModule {}
@Module({
  imports: [GatesModule, RouterModule.register([{ path: 'airport', module: GatesModule }])],
  controllers: [FlightsController],
})
class FlightsModule {}

const SEEN = 'https://shop.example';

describe('a route of any version', () => {
  const services: Service[] = [];
  const log = new Recorder();
  beforeAll(async () => {
    const samples = [FlightsModule];
    services.push(await startService(sqlite, { samples }));
    const [beside] = services;
    const prefixed = { BASE_URL: `${SEEN}/petstore/v1` };
    for (const environment of [{ TRUST_PROXY: 'loopback' }, prefixed] as Record<string, string>[])
      services.push(await startService(sqlite, { samples, environment, beside: beside!, log }));
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.stop();
  });
  const ask = ({ port, secret }: Service, method: string, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        'X-Forwarded-For': '203.0.113.5',
        'X-Forwarded-Host': 'shop.example',
        'X-Forwarded-Proto': 'https',
      },
    });
  const linkOf = (answer: Response, relation: string) =>
    linked(answer as unknown as Parameters<typeof linked>[0], relation);

  it.each(['/v1', '/v2', '/vbeta', ''])('is linked by its own URL: %s', async (version) => {
    const seen = services.map(({ port }) => [`http://127.0.0.1:${port}`, SEEN, `${SEEN}/petstore`]);
    for (const [i, service] of services.entries()) {
      const list = `${seen[i]![i]}${version}/flights`;
      const page = await ask(service, 'GET', `${version}/flights?limit=1`);
      expect(linkOf(page, 'first')).toBe(`${list}?limit=1`);
      const next = linkOf(page, 'next')!;
      expect(next).toContain(`${list}?limit=1&cursor=`);
      const last = await ask(service, 'GET', `${version}/flights${new URL(next).search}`);
      expect([last.status, await last.json()]).toEqual([200, [{ id: 1 }]]);
      const added = await ask(service, 'POST', `${version}/flights`);
      expect([added.status, added.headers.get('location')]).toEqual([201, `${list}/7`]);
    }
  });

  it('below a prefix of RouterModule is linked by its own URL', async () => {
    const added = await ask(services[2]!, 'POST', '/v1/airport/gates');
    expect(added.headers.get('location')).toBe(`${SEEN}/petstore/v1/airport/gates/7`);
  });

  it('that is deprecated links to a successor of another version', async () => {
    const { headers } = await ask(services[2]!, 'GET', '/v1/flights/old');
    expect(headers.get('link')).toContain(`<${SEEN}/petstore/v2/flights?limit=1>; rel="successor-version"`);
  });

  it('accepts only cursors of its own list, also from version 2.0 of the service', async () => {
    // A cursor that version 2.0 issued.
    const issued = Buffer.from('1674869328 1 2 /flights ').toString('base64url');
    expect((await ask(services[0]!, 'GET', `/v1/flights?cursor=${issued}`)).status).toBe(200);
    for (const version of ['/v2', '/vbeta', '']) {
      const page = await ask(services[0]!, 'GET', `${version}/flights`);
      const own = new URL(linkOf(page, 'next')!).searchParams.get('cursor');
      expect((await ask(services[0]!, 'GET', `${version}/flights?cursor=${own}`)).status).toBe(200);
      expect((await ask(services[0]!, 'GET', `/v1/flights?cursor=${own}`)).status).toBe(400);
      expect((await ask(services[0]!, 'GET', `${version}/flights?cursor=${issued}`)).status).toBe(400);
    }
  });

  it.each(['/vbeta/flights', ...['/v1', '/v2', ''].map((version) => `${version}/airport/gates/A1-B2`)])(
    'rejects a parameter that it does not have: %s',
    async (path) => {
      const answer = await ask(services[0]!, 'GET', `${path}?stauts=late`);
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'unknown_parameter' }]);
    },
  );

  it('appears in the log under the name of its operation', async () => {
    const gate = 'airport/gates/A1-B2';
    const names = ['listFlights', 'GatesController_between'];
    const paths = ['v2/flights', 'flights', 'vbeta/flights', gate, `v1/${gate}`, `v2/${gate}`];
    for (const [i, path] of paths.entries())
      await fetch(`http://127.0.0.1:${services[2]!.port}/${path}`, {
        headers: { 'X-Request-Id': `no-${i}` },
      });
    const told = log.text.split('\n').filter((line) => /"no-\d"/.test(line));
    const entries = told.map((line) => JSON.parse(line) as { requestId: string; operation: string });
    const named = Object.fromEntries(entries.map(({ requestId, operation }) => [requestId, operation]));
    expect(named).toEqual(
      Object.fromEntries(paths.map((path, i) => [`no-${i}`, names[path.endsWith(gate) ? 1 : 0]])),
    );
  });

  it('is in the OpenAPI document if it is below the base URL, with everything that applies to all operations', async () => {
    const { json } = await services[0]!.stranger.get('/openapi.json');
    const { paths } = json as unknown as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const addresses = [...addressesIn(paths, services[0]!.app.get(Routes).all())];
    const missing = addresses.filter(([, found]) => found.length === 0);
    const names = missing.map(([{ operation }]) => operation).toSorted();
    expect(names).toEqual(['gates', 'index', 'livez', 'openapi', 'readyz']);
    const between = paths['/airport/gates/{from}-{to}']!['get']!;
    expect(Object.keys(between.responses)).toEqual(expect.arrayContaining(['200', '401', '429', '503']));
    for (const { responses } of operations) expect(responses).toHaveProperty('401');
  });
});
