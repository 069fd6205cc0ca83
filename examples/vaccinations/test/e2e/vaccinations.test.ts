import { Inject, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { Events } from '../../src/kernel/index.js';
import { VaccinationAdded, VaccinationChanged, VaccinationDeleted } from '../../src/vaccinations/index.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { aVaccinationBody, vaccinationStepsTo } from '../support/vaccination-builder.js';

const VACCINATIONS = '/v1/vaccinations';

/** Another module, which records the events that it receives. */
@Module({})
class Listener {
  readonly heard: string[] = [];

  constructor(@Inject(Events) events: Events) {
    for (const type of [VaccinationAdded, VaccinationChanged, VaccinationDeleted])
      events.subscribe(type, 'listener', async ({ id }) => void this.heard.push(`${type.name} ${id}`));
  }
}

describe('the area of vaccinations', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { modules: [Listener] });
      const pets = "(42, 'Rex', 7, 'available'), (57, 'Mia', 7, 'available')";
      await service.app
        .get(DataSource)
        .query(`INSERT INTO pets (id, name, category_id, status) VALUES ${pets}`);
    });
    afterAll(() => service.stop());

    const add = (body: object = aVaccinationBody()) => service.client.post(VACCINATIONS, body);
    const added = async (more = {}) => (await add(aVaccinationBody(more))).json as { id: number };
    const at = (id: number | string) => `${VACCINATIONS}/${id}`;
    const change = (id: number | string, patch: unknown) => service.client.patch(at(id), patch);
    const remove = (id: number | string) => service.client.send('DELETE', at(id));
    const visitor = async (...scopes: string[]) => {
      const input = { name: scopes.join(), scopes };
      const { secret } = await service.app.get(ApiKeyService).issue(input, 'test', 'tester');
      return service.stranger.with({ Authorization: `Bearer ${secret}` });
    };

    it('adds a vaccination, and responds with its id and its URL', async () => {
      const body = aVaccinationBody();
      const answer = await add(body);
      const { id } = answer.json as { id: number };
      expect([answer.status, answer.json]).toEqual([201, { id, ...body }]);
      expect(answer.headers.get('location')).toBe(service.client.origin + at(id));
      const found = await service.client.get(at(id));
      expect([found.status, found.text]).toEqual([200, answer.text]);
    });

    it.each<[object, string]>([
      [{ petId: 'x' }, '/petId invalid_type'],
      [{ vaccine: ' ' }, '/vaccine blank'],
      [{ dueAt: '1999-01-01T00:00:00Z' }, '/dueAt out_of_range'],
      [{ colour: 'red' }, '/colour unknown_field'],
    ])('rejects %j', async (more, problem) => {
      const { status, json } = await add(aVaccinationBody(more));
      const { details } = json as unknown as { details: { field: string; code: string }[] };
      expect([status, details.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
    });

    it('rejects a pet that does not exist', async () => {
      const { id } = await added();
      for (const { json } of [
        await add(aVaccinationBody({ petId: 404_404 })),
        await change(id, { petId: 404_404 }),
      ])
        expect(json).toMatchObject({ code: 'unknown_pet', status: 409 });
    });

    it.each(['404404', 'x', '007'])('responds with 404 to the id %s', async (id) => {
      const answers = [await service.client.get(at(id)), await change(id, {})];
      for (const { json } of answers)
        expect(json).toMatchObject({ code: 'vaccination_not_found', status: 404 });
    });

    it('lists vaccinations on pages, newest first', async () => {
      const [third, second, first] = [await added(), await added(), await added()];
      const page = await service.client.get(`${VACCINATIONS}?limit=2`);
      expect(page.json).toEqual([first, second]);
      const next = (await service.client.get(linked(page, 'next')!)).json as { id: number }[];
      expect(next[0]).toEqual(third);
      const refused = await service.client.get(`${VACCINATIONS}?cursor=x`);
      expect(refused.json).toMatchObject({ code: 'invalid_cursor' });
    });

    it('lists vaccinations by petId', async () => {
      const wantedBody = aVaccinationBody();
      const [wanted, other] = [(await add(wantedBody)).json, await added()];
      const { json } = await service.client.get(
        `${VACCINATIONS}?petId=${String(wantedBody.petId)}&limit=100`,
      );
      expect(json).toContainEqual(wanted);
      expect(json).not.toContainEqual(other);
    });

    it('lists vaccinations by state', async () => {
      const wantedBody = aVaccinationBody();
      const [wanted, other] = [(await add(wantedBody)).json, await added()];
      const { json } = await service.client.get(
        `${VACCINATIONS}?state=${String(wantedBody.state)}&limit=100`,
      );
      expect(json).toContainEqual(wanted);
      expect(json).not.toContainEqual(other);
    });

    it('lists the due vaccinations of a pet, by date, on pages', async () => {
      const open = { petId: 57, state: 'open' };
      const [one, two, other, done, end] = [
        aVaccinationBody(open),
        aVaccinationBody(open),
        aVaccinationBody(),
        aVaccinationBody(),
        aVaccinationBody(),
      ];
      const late = (await add(two)).json;
      const early = (await add(one)).json;
      await add({ ...other, petId: 42, state: 'open', dueAt: one.dueAt, givenAt: one.givenAt });
      await add({ ...done, petId: 57, state: 'done', dueAt: one.dueAt, givenAt: one.givenAt });
      const range = `dueAtFrom=${String(one.dueAt)}&dueAtBefore=${String(end.dueAt)}`;
      const due = `${VACCINATIONS}?petId=57&state=open&${range}`;
      expect((await service.client.get(due)).json).toEqual([early, late]);
      expect((await service.client.get(`${due}&sort=-dueAt`)).json).toEqual([late, early]);
      const page = await service.client.get(`${due}&limit=1`);
      expect([page.json, (await service.client.get(linked(page, 'next')!)).json]).toEqual([[early], [late]]);
      expect((await service.client.get(`${VACCINATIONS}?sort=givenAt`)).status).toBe(400);
    });

    it('changes only the fields that a patch names', async () => {
      let expected = await added();
      const { id } = expected;
      for (const patch of vaccinationStepsTo(aVaccinationBody())) {
        expected = { ...expected, ...patch };
        expect((await change(id, patch)).json).toEqual(expected);
      }
      const answer = await change(id, {});
      expect([answer.status, answer.json]).toEqual([200, expected]);
      expect((await service.client.get(at(id))).text).toBe(answer.text);
      expect((await change(id, { dueAt: null })).json).not.toHaveProperty('dueAt');
    });

    it('must be due after it is given, whichever field a patch names', async () => {
      const body = aVaccinationBody();
      const { id } = (await add(body)).json as { id: number };
      for (const patch of [{ givenAt: body.dueAt }, { dueAt: body.givenAt }]) {
        const { status, json } = await change(id, patch);
        expect([status, json]).toMatchObject([400, { details: [{ field: '/dueAt', code: 'out_of_range' }] }]);
      }
      const { givenAt, dueAt } = aVaccinationBody();
      expect((await change(id, { givenAt, dueAt })).status).toBe(200);
    });

    it('does not change what another request has changed since', async () => {
      const { id } = await added();
      const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });
      const current = async () => ifMatch((await service.client.get(at(id))).headers.get('etag')!);
      const stale = ifMatch('"stale"');
      const wanted = Object.assign({}, ...vaccinationStepsTo(aVaccinationBody())) as object;
      const seen = await current();
      expect((await service.client.patch(at(id), wanted, stale)).status).toBe(412);
      const changed = await service.client.patch(at(id), wanted, seen);
      expect(changed.status).toBe(200);
      // A client repeats its request if it gets no response.
      const again = await service.client.patch(at(id), wanted, seen);
      expect([again.status, again.text]).toEqual([200, changed.text]);
      expect((await service.client.send('DELETE', at(id), stale)).status).toBe(412);
      expect((await service.client.send('DELETE', at(id), await current())).status).toBe(204);
    });

    it('deletes a vaccination', async () => {
      const { id } = await added();
      const answers = [await remove(id), await remove(id)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [204, ''],
        [204, ''],
      ]);
      expect((await service.client.get(at(id))).status).toBe(404);
    });

    it('adds one vaccination when the request is sent again', async () => {
      const [body, headers] = [aVaccinationBody(), { 'Idempotency-Key': 'vaccination-1' }];
      const send = () => service.client.post(VACCINATIONS, body, { headers });
      const [one, again] = [await send(), await send()];
      expect([again.status, again.text]).toEqual([201, one.text]);
      const newest = (await service.client.get(`${VACCINATIONS}?limit=2`)).json as { id: number }[];
      expect(newest.filter(({ id }) => id >= (one.json as { id: number }).id)).toHaveLength(1);
    });

    it('requires its own scopes', async () => {
      const reader = await visitor('vaccinations:read');
      const writer = await visitor('vaccinations:write');
      const statuses = async (of: typeof reader) => [
        (await of.get(VACCINATIONS)).status,
        (await of.get(at(404404))).status,
        (await of.post(VACCINATIONS, aVaccinationBody())).status,
        (await of.patch(at(404404), {})).status,
        (await of.send('DELETE', at(404404))).status,
      ];
      expect(await statuses(service.stranger)).toEqual([401, 401, 401, 401, 401]);
      expect(await statuses(reader)).toEqual([200, 404, 403, 403, 403]);
      expect(await statuses(writer)).toEqual([403, 403, 201, 404, 204]);
    });

    it('delivers each event to another module', async () => {
      const { id } = await added();
      for (const patch of vaccinationStepsTo(aVaccinationBody())) await change(id, patch);
      await remove(id);
      const { heard } = service.app.get(Listener);
      const wanted = [`VaccinationAdded ${id}`, `VaccinationChanged ${id}`, `VaccinationDeleted ${id}`];
      await eventually(async () => {
        const ofIt = heard.filter((event) => event.endsWith(` ${id}`));
        expect([...new Set(ofIt)]).toEqual(wanted);
      });
    });
  }));
