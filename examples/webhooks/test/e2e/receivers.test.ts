import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { aReceiverBody } from '../support/receiver-builder.js';

const RECEIVERS = '/v1/webhooks/receivers';

describe('the area of receivers', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const add = (body: object = aReceiverBody()) => service.client.post(RECEIVERS, body);
    /** Adds a receiver. @returns it as other operations return it */
    const added = async () => {
      const { id, url } = (await add()).json as { id: number; url: string };
      return { id, url };
    };
    const at = (id: number | string) => `${RECEIVERS}/${id}`;
    const remove = (id: number | string) => service.client.send('DELETE', at(id));
    const visitor = async (...scopes: string[]) => {
      const input = { name: scopes.join(), scopes };
      const { secret } = await service.app.get(ApiKeyService).issue(input, 'test', 'tester');
      return service.stranger.with({ Authorization: `Bearer ${secret}` });
    };

    it('adds a receiver, and responds with its id, its URL and its secret', async () => {
      const body = aReceiverBody();
      const answer = await add(body);
      const { id, secret } = answer.json as { id: number; secret: string };
      expect([answer.status, answer.json]).toEqual([201, { id, ...body, secret }]);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(answer.headers.get('location')).toBe(service.client.origin + at(id));
    });

    it('shows the secret once', async () => {
      const { id, url, secret } = (await add()).json as { id: number; url: string; secret: string };
      const answers = [await service.client.get(at(id)), await service.client.get(`${RECEIVERS}?limit=1`)];
      expect(answers.map(({ json }) => json)).toEqual([{ id, url }, [{ id, url }]]);
      for (const { text } of answers) expect(text).not.toContain(secret);
    });

    it.each<[object, string]>([
      [{ url: 7 }, '/url invalid_type'],
      [{ url: ' ' }, '/url blank'],
      [{ url: 'http://user:secret@example.com/' }, '/url invalid_format'],
      [{ url: 'https://user@example.com/' }, '/url invalid_format'],
      [{ url: 'ftp://example.com/' }, '/url invalid_format'],
      [{ url: 'http://example.com/' }, '/url invalid_format'],
      [{ url: 'example.com' }, '/url invalid_format'],
      [{ secret: 'Secret one' }, '/secret read_only_field'],
      [{ colour: 'red' }, '/colour unknown_field'],
    ])('rejects %s', async (more, problem) => {
      const { status, json } = await add(aReceiverBody(more));
      const { details } = json as unknown as { details: { field: string; code: string }[] };
      expect([status, details.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
    });

    it.each(['404404', 'x', '007'])('responds with 404 to the id %s', async (id) => {
      const answers = [await service.client.get(at(id))];
      for (const { json } of answers) expect(json).toMatchObject({ code: 'receiver_not_found', status: 404 });
    });

    it('lists receivers on pages, newest first', async () => {
      const [third, second, first] = [await added(), await added(), await added()];
      const page = await service.client.get(`${RECEIVERS}?limit=2`);
      expect(page.json).toEqual([first, second]);
      const next = (await service.client.get(linked(page, 'next')!)).json as { id: number }[];
      expect(next[0]).toEqual(third);
      const refused = await service.client.get(`${RECEIVERS}?cursor=x`);
      expect(refused.json).toMatchObject({ code: 'invalid_cursor' });
    });

    it('does not change what another request has changed since', async () => {
      const { id } = await added();
      const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });
      const current = async () => ifMatch((await service.client.get(at(id))).headers.get('etag')!);
      const stale = ifMatch('"stale"');
      expect((await service.client.send('DELETE', at(id), stale)).status).toBe(412);
      expect((await service.client.send('DELETE', at(id), await current())).status).toBe(204);
    });

    it('deletes a receiver', async () => {
      const { id } = await added();
      const answers = [await remove(id), await remove(id)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [204, ''],
        [204, ''],
      ]);
      expect((await service.client.get(at(id))).status).toBe(404);
    });

    it('stores no response, because it contains the secret', async () => {
      const [body, headers] = [aReceiverBody(), { 'Idempotency-Key': 'receiver-1' }];
      const send = async () =>
        (await service.client.post(RECEIVERS, body, { headers })).json as { id: number; secret: string };
      const [one, again] = [await send(), await send()];
      expect(again.id).not.toBe(one.id);
      expect(again.secret).not.toBe(one.secret);
    });

    it('requires its own scopes', async () => {
      const reader = await visitor('webhooks:read');
      const writer = await visitor('webhooks:write');
      const statuses = async (of: typeof reader) => [
        (await of.get(RECEIVERS)).status,
        (await of.get(at(404404))).status,
        (await of.post(RECEIVERS, aReceiverBody())).status,
        (await of.send('DELETE', at(404404))).status,
      ];
      expect(await statuses(service.stranger)).toEqual([401, 401, 401, 401]);
      expect(await statuses(reader)).toEqual([200, 404, 403, 403]);
      expect(await statuses(writer)).toEqual([403, 403, 201, 204]);
    });
  }));
