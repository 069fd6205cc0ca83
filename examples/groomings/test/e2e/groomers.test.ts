import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { aGroomerBody } from '../support/groomer-builder.js';

const GROOMERS = '/v1/groomers';

describe('the area of groomers', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const add = (body: object = aGroomerBody()) => service.client.post(GROOMERS, body);
    const added = async (more = {}) => (await add(aGroomerBody(more))).json as { id: number };
    const at = (id: number | string) => `${GROOMERS}/${id}`;
    const visitor = async (...scopes: string[]) => {
      const input = { name: scopes.join(), scopes };
      const { secret } = await service.app.get(ApiKeyService).issue(input, 'test', 'tester');
      return service.stranger.with({ Authorization: `Bearer ${secret}` });
    };

    it('adds a groomer, and responds with its id and its URL', async () => {
      const body = aGroomerBody();
      const answer = await add(body);
      const { id } = answer.json as { id: number };
      expect([answer.status, answer.json]).toEqual([201, { id, ...body }]);
      expect(answer.headers.get('location')).toBe(service.client.origin + at(id));
      const found = await service.client.get(at(id));
      expect([found.status, found.text]).toEqual([200, answer.text]);
    });

    it.each<[object, string]>([
      [{ name: 7 }, '/name invalid_type'],
      [{ name: ' ' }, '/name blank'],
      [{ colour: 'red' }, '/colour unknown_field'],
    ])('rejects %j', async (more, problem) => {
      const { status, json } = await add(aGroomerBody(more));
      const { details } = json as unknown as { details: { field: string; code: string }[] };
      expect([status, details.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
    });

    it.each(['404404', 'x', '007'])('responds with 404 to the id %s', async (id) => {
      const answers = [await service.client.get(at(id))];
      for (const { json } of answers) expect(json).toMatchObject({ code: 'groomer_not_found', status: 404 });
    });

    it('lists groomers on pages, newest first', async () => {
      const [third, second, first] = [await added(), await added(), await added()];
      const page = await service.client.get(`${GROOMERS}?limit=2`);
      expect(page.json).toEqual([first, second]);
      const next = (await service.client.get(linked(page, 'next')!)).json as { id: number }[];
      expect(next[0]).toEqual(third);
      const refused = await service.client.get(`${GROOMERS}?cursor=x`);
      expect(refused.json).toMatchObject({ code: 'invalid_cursor' });
    });

    it('adds one groomer when the request is sent again', async () => {
      const [body, headers] = [aGroomerBody(), { 'Idempotency-Key': 'groomer-1' }];
      const send = () => service.client.post(GROOMERS, body, { headers });
      const [one, again] = [await send(), await send()];
      expect([again.status, again.text]).toEqual([201, one.text]);
      const newest = (await service.client.get(`${GROOMERS}?limit=2`)).json as { id: number }[];
      expect(newest.filter(({ id }) => id >= (one.json as { id: number }).id)).toHaveLength(1);
    });

    it('requires its own scopes', async () => {
      const reader = await visitor('groomings:read');
      const writer = await visitor('groomings:admin');
      const statuses = async (of: typeof reader) => [
        (await of.get(GROOMERS)).status,
        (await of.get(at(404404))).status,
        (await of.post(GROOMERS, aGroomerBody())).status,
      ];
      expect(await statuses(service.stranger)).toEqual([401, 401, 401]);
      expect(await statuses(reader)).toEqual([200, 404, 403]);
      expect(await statuses(writer)).toEqual([403, 403, 201]);
    });
  }));
