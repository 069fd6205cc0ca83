import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linked } from '../../support/api-client.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

interface Item {
  readonly id: number;
  readonly petId: number;
  readonly vet: string;
  readonly dueAt?: string;
}

const DAYS = ['2026-05-01', '2026-05-02', undefined, '2026-05-03', '2026-05-02', undefined, '2026-05-04'];
const dueAt = (day: string) => `${day}T10:00:00.001Z`;

describe('a list by more than the id', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let all: Item[];
    beforeAll(async () => {
      service = await startService(engine, { samples: [AppointmentsModule] });
      all = [];
      for (const [i, day] of DAYS.entries()) {
        const body = {
          petId: 1 + (i % 2),
          kind: 'check',
          vet: `Dr. "Ä" 🐶 ${i % 3}`,
          ...(day && { dueAt: dueAt(day) }),
        };
        const { status, json, text } = await service.client.post('/v1/appointments', body);
        expect(status, text).toBe(201);
        all.push(json as unknown as Item);
      }
    });
    afterAll(() => service.stop());

    const turnAllPages = async (query: string): Promise<Item[]> => {
      const seen: Item[] = [];
      for (let page: string | undefined = `/v1/appointments?${query}`; page;) {
        const answer = await service.client.get(page);
        expect(answer.status, answer.text).toBe(200);
        seen.push(...(answer.json as unknown as Item[]));
        page = linked(answer, 'next');
      }
      return seen;
    };
    const ids = (items: Item[]) => items.map(({ id }) => id);
    /** Null first, as both engines sort it. */
    const sorted = (key: (item: Item) => string | number) =>
      all.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));

    it.each(['1', '2', '3', '100'])('shows each item once in every order, on pages of %s', async (limit) => {
      const byDue = ids(sorted((item) => item.dueAt ?? ''));
      const byVet = ids(sorted(({ vet }) => vet));
      expect(ids(await turnAllPages(`sort=dueAt&limit=${limit}`))).toEqual(byDue);
      expect(ids(await turnAllPages(`sort=-dueAt&limit=${limit}`))).toEqual(byDue.toReversed());
      expect(ids(await turnAllPages(`limit=${limit}&sort=vet`))).toEqual(byVet);
      expect(ids(await turnAllPages(`sort=-petId&limit=${limit}`))).toEqual(
        ids(sorted(({ petId }) => petId)).toReversed(),
      );
      expect(ids(await turnAllPages(`sort=kind&limit=${limit}`))).toEqual(ids(all));
      expect(ids(await turnAllPages(`sort=id&limit=${limit}`))).toEqual(ids(all));
      expect(ids(await turnAllPages(`limit=${limit}`))).toEqual(ids(all).toReversed());
    });

    it('is filtered by what is equal and by a range, whose order it has', async () => {
      const within = sorted((item) => item.dueAt ?? '').filter(
        (item) => item.dueAt && item.dueAt >= dueAt('2026-05-02') && item.dueAt < dueAt('2026-05-04'),
      );
      const range = `dueFrom=${dueAt('2026-05-02')}&dueBefore=${dueAt('2026-05-04')}`;
      expect(ids(await turnAllPages(`${range}&limit=1`))).toEqual(ids(within));
      expect(ids(await turnAllPages(`${range}&limit=2&sort=-dueAt`))).toEqual(ids(within).toReversed());
      const ofPet = within.filter(({ petId }) => petId === 2);
      expect(ofPet.length).toBeGreaterThan(0);
      expect(ids(await turnAllPages(`${range}&petId=2&limit=1`))).toEqual(ids(ofPet));
      const inBerlin = '2026-05-02T12:00:00.001%2B02:00';
      expect(ids(await turnAllPages(`dueFrom=${inBerlin}`))).toEqual(
        ids(
          sorted((item) => item.dueAt ?? '').filter(
            (item) => item.dueAt && item.dueAt >= dueAt('2026-05-02'),
          ),
        ),
      );
    });

    it.each([
      ['sort=vet&dueFrom=2026-05-02T00:00:00Z', 'invalid_parameter', 'query.dueFrom'],
      ['sort=isPaid', 'invalid_parameter', 'query.sort'],
      ['sort=', 'invalid_parameter', 'query.sort'],
      ['sort=dueAt&sort=vet', 'invalid_parameter', 'query.sort'],
      ['dueFrom=2016-12-31T23:59:60Z', 'invalid_parameter', 'query.dueFrom'],
      ['dueFrom=2026-05-02', 'invalid_parameter', 'query.dueFrom'],
      ['petId=01', 'invalid_parameter', 'query.petId'],
      ['dueTo=2026-05-02T00:00:00Z', 'unknown_parameter', 'query.dueTo'],
    ])('refuses %s', async (query, code, field) => {
      const { status, json } = await service.client.get(`/v1/appointments?${query}`);
      expect([status, json]).toEqual([
        400,
        expect.objectContaining({ code, details: [expect.objectContaining({ field })] }),
      ]);
    });

    it('refuses the cursor of another order or filter', async () => {
      const page = await service.client.get('/v1/appointments?sort=dueAt&limit=1');
      const [, cursor] = /cursor=([\w-]+)/.exec(linked(page, 'next')!) ?? [];
      for (const query of [
        'sort=-dueAt',
        'sort=vet',
        'petId=1&sort=dueAt',
        'limit=1',
        'dueFrom=2026-05-01T00:00:00Z',
      ]) {
        const { json } = await service.client.get(`/v1/appointments?${query}&cursor=${cursor}`);
        expect(json).toMatchObject({ code: 'invalid_cursor' });
      }
    });
  }));
