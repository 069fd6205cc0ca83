import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import { changeRow, forUpdate } from '../../../src/platform/database/index.js';
import { linked } from '../../support/api-client.js';
import { Appointment } from '../../support/appointments/appointment.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { onEveryEngine, sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { untilServed } from '../../support/until-served.js';

const NEW = { petId: 7, kind: 'check', vet: 'Ada', dueAt: '2026-05-02T10:00:00.001Z' };
const RIVALS = 20;
const rivals = <Result>(act: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: RIVALS }, (_, i) => act(i)));

/** The recipes of docs/module-recipes.md. How lists are read: test/contract/keyset-page.test.ts. Invalid requests: test/fuzz. */
describe('an appointment, which clients list, change and delete,', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine, { samples: [AppointmentsModule] })));
    afterAll(() => service.stop());

    let id: number;
    let path: string;
    const add = async (to: string, body: object) => {
      const { status, json, text } = await service.client.post(to, body);
      expect(status, text).toBe(201);
      return (json as { id: number }).id;
    };
    beforeEach(async () => {
      id = await add('/v1/appointments', NEW);
      path = `/v1/appointments/${id}`;
    });

    const patch = (change: unknown, headers: Record<string, string> = {}) =>
      service.client.send('PATCH', path, {
        body: typeof change === 'string' ? change : JSON.stringify(change),
        headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
      });
    const remove = (headers: Record<string, string> = {}) => service.client.send('DELETE', path, { headers });
    const current = () => service.client.get(path);
    const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!;
    const addPet = (name: string) => add('/v1/pets', { name, categoryId: 7 });
    const book = (petId: number, day: number) =>
      add('/v1/appointments', { ...NEW, petId, dueAt: `2026-05-0${day}T10:00:00.000Z` });

    it('keeps the fields that a merge patch omits, sets the fields that it names, and removes the fields that are null', async () => {
      const change = { note: 'Bites.', reason: 'travel', price: 9007199254740991, isPaid: true };
      expect((await patch(change)).json).toEqual({ id, ...NEW, ...change });
      const cleared = await patch({ note: null, reason: null, price: null, dueAt: null, vet: 'Bob' });
      expect(cleared.json).toEqual({ id, petId: 7, kind: 'check', vet: 'Bob', isPaid: true });
      expect((await current()).json).toEqual(cleared.json);
      expect((await patch({ dueAt: '2026-05-02T12:00:00.5+02:00', price: -1 })).json).toEqual({
        ...(cleared.json as object),
        dueAt: '2026-05-02T10:00:00.500Z',
        price: -1,
      });
    });

    it('accepts one of twenty changes that are made under one entity tag', async () => {
      const headers = { 'If-Match': tagOf(await current()) };
      const answers = await rivals((i) => untilServed(() => patch({ vet: `Dr. ${i}` }, headers)));
      const won = answers.filter(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(RIVALS - 1);
      expect((await current()).text).toBe(won[0]!.text);
    });

    it('accepts a repeated change under the outdated entity tag of the first try, until another change', async () => {
      const headers = { 'If-Match': tagOf(await current()) };
      const change = { vet: 'Bob', dueAt: null, note: 'Bites.' };
      const [first, again] = [await patch(change, headers), await patch(change, headers)];
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
      expect(tagOf(again)).toBe(tagOf(first));
      await patch({ vet: 'Cleo' });
      expect((await patch(change, headers)).status).toBe(412);
    });

    it('is not deleted under the entity tag of another version, and stays deleted under any tag', async () => {
      const tag = tagOf(await current());
      await patch({ isPaid: true });
      expect((await remove({ 'If-Match': tag })).status).toBe(412);
      const headers = { 'If-Match': tagOf(await current()) };
      const answers = await rivals(() => untilServed(() => remove(headers)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
      expect((await current()).status).toBe(404);
    });

    describe('keeps each of twenty concurrent changes', () => {
      const rows = () => service.app.get(DataSource).getRepository(Appointment);
      const raised = (found: Appointment): Appointment => ({
        ...found,
        price: (found.price ?? 0n) + 1n,
        version: found.version + 1,
      });
      const ways: Record<string, () => Promise<unknown>> = {
        'by compare-and-set on its version': () => changeRow(rows(), { id: BigInt(id) }, raised, ['version']),
        'by compare-and-set on all its columns': () =>
          changeRow(rows(), { id: BigInt(id) }, (found) => ({ ...found, price: (found.price ?? 0n) + 1n })),
        'by a lock on its row': () =>
          service.app.get(UnitOfWork).run(async () => {
            const query = rows()
              .createQueryBuilder('appointment')
              .where({ id: BigInt(id) });
            const { price } = raised(await forUpdate(query).getOneOrFail());
            await rows().update({ id: BigInt(id) }, { price: price! });
          }),
      };

      it.each(Object.entries(ways))('%s', async (_, change) => {
        await rivals(change);
        expect((await current()).json).toMatchObject({ price: RIVALS });
      });
    });

    it('is paid for once by concurrent payments, because they lock its rows', async () => {
      const petId = await addPet('Lux');
      for (const day of [1, 2, 3]) await book(petId, day);
      const pay = () => service.client.post('/v1/appointments/payments', { petId });
      const payments = await rivals(() => untilServed(pay));
      expect(payments.map(({ status }) => status)).toEqual(payments.map(() => 201));
      const paid = payments.map(({ json }) => (json as { appointments: number }).appointments);
      expect(paid.toSorted()).toEqual([...payments.slice(1).map(() => 0), 3]);
    });

    it('is joined with the table of another module, on each page of a list', async () => {
      const [rex, mia] = [await addPet('Rex'), await addPet('Mia')];
      for (const [petId, day] of [
        [mia, 5],
        [rex, 4],
        [404_404, 6],
        [rex, 7],
      ] as const)
        await book(petId, day);
      const named: (string | undefined)[] = [];
      let page: string | undefined =
        '/v1/appointments/agenda?withNames=true&dueFrom=2026-05-04T00:00:00Z&limit=1';
      while (page) {
        const answer = await service.client.get(page);
        named.push(...(answer.json as { petName?: string }[]).map(({ petName }) => petName));
        page = linked(answer, 'next');
      }
      expect(named).toEqual(expect.arrayContaining(['Rex', 'Mia', undefined]));
      expect(named.filter(Boolean)).toEqual(['Rex', 'Mia', 'Rex']);
    });

    if (engine !== sqlite) return;

    it('is unchanged after an empty patch, which may be sent as plain JSON too', async () => {
      const before = await current();
      for (const type of ['application/json', 'application/merge-patch+json; charset=utf-8']) {
        const same = await patch({}, { 'Content-Type': type });
        expect([same.status, same.text, tagOf(same)]).toEqual([200, before.text, tagOf(before)]);
      }
    });

    it('rejects other patch formats, and says which formats it accepts', async () => {
      const refused = await patch([], { 'Content-Type': 'application/json-patch+json' });
      expect([refused.status, refused.headers.get('accept-patch')]).toEqual([
        415,
        'application/merge-patch+json, application/json',
      ]);
      const created = await service.client.post('/v1/appointments', NEW, {
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      expect([created.status, created.headers.get('accept-patch')]).toEqual([415, null]);
    });

    it('has an entity tag, the same from GET and from PATCH, under which it can be changed', async () => {
      const tag = tagOf(await current());
      const changed = await patch({ vet: 'Bob' }, { 'If-Match': tag });
      expect([changed.status, tagOf(changed)]).toEqual([200, tagOf(await current())]);
      expect(tagOf(changed)).not.toBe(tag);
      const late = await patch({ vet: 'Cleo' }, { 'If-Match': tag });
      expect([late.status, late.json]).toMatchObject([412, { code: 'precondition_failed' }]);
      expect((await current()).json).toMatchObject({ vet: 'Bob' });
    });

    it.each<[string, (tag: string) => string, number]>([
      ['the tag among others', (tag) => `"other", W/${tag} ,${tag}`, 200],
      ['any', () => ' * ', 200],
      ['the tag as a weak one', (tag) => `W/${tag}`, 412],
      ['another tag', () => '"other"', 412],
      ['the tag without quotes', (tag) => tag.replaceAll('"', ''), 412],
      ['nothing', () => '', 412],
    ])('depends on its state under If-Match with %s', async (_, header, status) => {
      const value = header(tagOf(await current()));
      expect((await patch({ vet: 'Bob' }, { 'If-Match': value })).status).toBe(status);
      expect((await current()).json).toMatchObject({ vet: status === 200 ? 'Bob' : 'Ada' });
    });

    it('can be deleted again without an error', async () => {
      const deleted = await remove();
      expect([deleted.status, deleted.text, deleted.headers.get('content-length')]).toEqual([204, '', null]);
      expect(deleted.headers.get('cache-control')).toBe('private, no-cache');
      expect((await current()).status).toBe(404);
      expect((await patch({ vet: 'Bob' }, { 'If-Match': '*' })).status).toBe(404);
      expect((await remove()).status).toBe(204);
      expect((await service.client.send('DELETE', '/v1/appointments/x')).status).toBe(404);
    });
  }));
