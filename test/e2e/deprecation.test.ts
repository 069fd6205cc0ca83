import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { type Answer, linked } from '../support/api-client.js';
import { ManualClock } from '../support/clocks.js';
import { sqlite } from '../support/engines.js';
import { BellsModule } from '../support/modules/bells-module.js';
import { type Service, startService } from '../support/service.js';
import { Recorder } from '../support/site/recorder.js';

const LAST_MOMENT = '2030-12-04T23:59:59.999Z';
const REMOVAL = '2030-12-05T00:00:00.000Z';

describe('getPet, which is deprecated', () => {
  /** The services by environment. Tests share a service; each test has its own pet and starts with the clock reset. */
  const services = new Map<string, Service>();
  afterAll(async () => {
    for (const one of services.values()) await one.stop();
  });
  let service: Service;

  const open = async (environment: Record<string, string> = {}) => {
    const name = JSON.stringify(environment);
    service = services.get(name) ?? (await startService(sqlite, { environment }));
    services.set(name, service);
    service.clock.set('2026-11-20T12:00:00Z');
    return service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  };
  const expectNotice = ({ headers }: Answer) => {
    expect(headers.get('deprecation')).toBe('@1795132800');
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    for (const relation of ['successor-version', 'deprecation', 'sunset']) {
      expect(headers.get('link')).toContain(`rel="${relation}"`);
    }
  };

  it('returns the pet, with the deprecation headers', async () => {
    const added = await open();
    const answer = await service.client.get(added.headers.get('location')!);
    expect([answer.status, answer.text]).toEqual([200, added.text]);
    expectNotice(answer);
  });

  it('has the deprecation headers in responses without a key and for unknown pets too', async () => {
    await open();
    const noKey = await service.stranger.get('/v1/pets/1');
    expect(noKey.status).toBe(401);
    expectNotice(noKey);
    const noAnimal = await service.client.get('/v1/pets/404');
    expect(noAnimal.status).toBe(404);
    expectNotice(noAnimal);
  });

  it('has the deprecation headers in responses that reject the scope or the rate', async () => {
    await open();
    const { secret } = await service.app
      .get(ApiKeyService)
      .issue({ name: 'writer', scopes: ['pets:write'] }, 'test', 'tester');
    const writer = service.stranger.with({ Authorization: `Bearer ${secret}` });
    const forbidden = await writer.get('/v1/pets/1');
    expect(forbidden.status).toBe(403);
    expectNotice(forbidden);
    await open({ RATE_LIMIT: '1/h' });
    const limited = await service.client.get('/v1/pets/1');
    expect(limited.status).toBe(429);
    expectNotice(limited);
  });

  it.each(['abc', '007', '9223372036854775808'])('returns 404 for the id %s', async (id) => {
    await open();
    const answer = await service.client.get(`/v1/pets/${encodeURI(id)}`);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'pet_not_found' });
    expectNotice(answer);
  });

  it('works until the last moment, and returns 410 from the removal on', async () => {
    const added = await open();
    const address = added.headers.get('location')!;
    service.clock.set(LAST_MOMENT);
    expect((await service.client.get(address)).status).toBe(200);
    service.clock.set(REMOVAL);
    const gone = await service.client.get(address);
    expect(gone.status).toBe(410);
    expect(gone.json).toMatchObject({ code: 'operation_removed' });
    expectNotice(gone);
    expect(linked(gone, 'successor-version')).toBe(`${service.client.origin}/v1/pets`);
  });

  it('still requires a key after its removal', async () => {
    await open();
    service.clock.set(REMOVAL);
    const answer = await service.stranger.get('/v1/pets/1');
    expect(answer.status).toBe(401);
    expectNotice(answer);
  });

  it('is not in Location of new pets after its removal', async () => {
    await open();
    service.clock.set(REMOVAL);
    const added = await service.client.post('/v1/pets', { name: 'Max', categoryId: 7 });
    expect([added.status, added.headers.get('location')]).toEqual([201, null]);
  });

  it.each(['available', 'pending', 'sold'])(
    'links to the list with only this pet, when the pet is %s',
    async (status) => {
      await open();
      const add = () => service.client.post('/v1/pets', { name: 'Rex', categoryId: 7, status });
      const [, wanted] = [await add(), await add(), await add()];
      const answer = await service.client.get(wanted.headers.get('location')!);
      const successor = new URL(linked(answer, 'successor-version')!);
      expect(Object.fromEntries(successor.searchParams)).toMatchObject({ status, limit: '1' });
      const list = await service.client.get(successor.pathname + successor.search);
      expect(list.json).toEqual([wanted.json]);
    },
  );

  it('does not add deprecation headers to listPets', async () => {
    await open();
    const list = await service.client.get('/v1/pets');
    expect([list.headers.get('deprecation'), list.headers.get('sunset')]).toEqual([null, null]);
  });
});

describe('a service that starts with a deprecated operation', () => {
  const GONE = ['getPet is gone: it answers 410'];
  const dueIn = (days: number) => [`getPet is due to be removed in ${days} days`];

  it.each<[mode: string, time: string, status: number, warnings: string[]]>([
    ['auto', '2030-09-05T23:59:59Z', 404, []],
    ['auto', '2030-09-06T00:00:01Z', 404, dueIn(89)],
    ['auto', LAST_MOMENT, 404, dueIn(0)],
    ['auto', REMOVAL, 410, GONE],
    ['auto', '2040-01-01T00:00:00Z', 410, GONE],
    ['serve', LAST_MOMENT, 404, dueIn(0)],
    ['serve', '2031-01-01T00:00:00Z', 404, ['getPet is past its removal date and still served']],
    ['gone', '2026-11-20T00:00:00Z', 410, GONE],
  ])('in the mode %s at %s returns %s, and warns %j', async (mode, time, status, warnings) => {
    const log = new Recorder();
    const service = await startService(sqlite, {
      environment: { DEPRECATED_OPERATIONS: mode },
      clock: new ManualClock(Date.parse(time)),
      log,
    });
    expect((await service.client.get('/v1/pets/404')).status).toBe(status);
    const told = log.text.matchAll(/"context":"Deprecation","msg":"([^"]*)"/g);
    expect([...told].map(([, text]) => text)).toEqual(warnings);
    await service.stop();
  });
});

describe('a deprecated operation with links of its own', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { samples: [BellsModule] });
  });
  afterAll(() => service.stop());

  const successor = () => `${service.client.origin}/v1/pets?status=sold`;

  it('links the pages of its list, and links each page to the successor', async () => {
    const ids: unknown[] = [];
    for (let page: string | undefined = '/v1/bells?limit=2'; page !== undefined;) {
      const answer: Answer = await service.client.get(page);
      ids.push(...(answer.json as { id: number }[]).map(({ id }) => id));
      expect(linked(answer, 'first')).toBe(`${service.client.origin}/v1/bells?limit=2`);
      expect(linked(answer, 'successor-version')).toBe(successor());
      page = linked(answer, 'next');
    }
    expect(ids).toEqual([3, 2, 1]);
  });

  it('keeps the links that the handler sets', async () => {
    const answer = await service.client.get('/v1/bells/loudest');
    expect([linked(answer, 'help'), linked(answer, 'successor-version')]).toEqual([
      'https://example.com/bells',
      successor(),
    ]);
    const refused = await service.client.get('/v1/bells/loudest?tower=high');
    expect([refused.status, linked(refused, 'help'), linked(refused, 'successor-version')]).toEqual([
      400,
      'https://example.com/bells',
      successor(),
    ]);
  });
});
