import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdempotencyStore } from '../../support/rooms/http.js';
import { MAX_PET_NAME } from '../../../src/pets/domain/new-pet.js';
import type { ApiClient } from '../../support/api-client.js';
import { onEveryEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const rex = { name: 'Rex', categoryId: 7 };
const DAY = 24 * 3_600_000;

// test/unit/platform/http/idempotency/idempotency.test.ts tests which requests are the same, and which keys are valid.
describe('a request with an Idempotency-Key', () =>
  onEveryEngine((engine) => {
    let one: Service;
    let two: Service;
    beforeAll(async () => {
      one = await startService(engine);
      two = await startService(engine, { beside: one });
    });
    afterAll(async () => {
      await two.stop();
      await one.stop();
    });

    let keys = 0;
    const freshKey = () => `key-${keys++}`;
    const send = (client: ApiClient, key: string, body: unknown = rex) =>
      client.post('/v1/pets', body, { headers: { 'Idempotency-Key': key } });
    const count = async () => {
      const { json } = await one.client.get('/v1/pets?limit=100');
      return (json as unknown[]).length;
    };

    it('adds one pet, and gets the same response each time', async () => {
      const key = freshKey();
      const before = await count();
      const first = await send(one.client, key);
      const again = await send(two.client, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await count()).toBe(before + 1);
    });

    it('is executed once when two replicas receive it many times at once, and does not conflict with itself', async () => {
      for (let round = 0; round < 10; round++) {
        const { json } = await one.client.post('/v1/pets', rex);
        const headers = { 'Idempotency-Key': freshKey() };
        const order = { petId: (json as { id: number }).id };
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, i) =>
            (i % 2 ? one : two).client.post('/v1/store/orders', order, { headers }),
          ),
        );
        const done = answers.filter(({ status }) => status === 201);
        expect(new Set(done.map(({ text }) => text)).size).toBe(1);
        for (const { status, json, headers } of answers.filter((answer) => !done.includes(answer))) {
          expect([status, headers.get('retry-after')]).toEqual([409, '1']);
          expect(json).toMatchObject({ code: 'idempotency_in_progress' });
        }
      }
    });

    // The rate of a key bounds how many such rows it can store in a day (docs/decisions/0042-safe-retries.md).
    it('is stored only after a success, in at most two kilobytes, together with the new pet', async () => {
      const rows = () =>
        one.app.get(DataSource).query<Record<string, unknown>[]>('SELECT * FROM stored_answers');
      const stored = (await rows()).length;
      const before = await count();
      const longest = 'k'.repeat(255);
      for (const name of ['"', '🐶'].map((sign) => sign.repeat(MAX_PET_NAME))) {
        const key = `${keys++}${longest}`.slice(0, 255);
        const body = { name, categoryId: -1, status: 'available' };
        await send(one.client, key, { ...body, name: '' });
        for (let i = 0; i < 3; i++) expect((await send(one.client, key, body)).status).toBe(201);
        await send(one.client, key);
      }
      const sizes = (await rows()).map((row) => Buffer.byteLength(Object.values(row).join('')));
      expect(sizes).toHaveLength(stored + 2);
      expect(await count()).toBe(before + 2);
      expect(Math.max(...sizes)).toBeLessThan(2_048);
    });

    it('is stored for a day, and then deleted', async () => {
      const key = freshKey();
      const first = await send(one.client, key);
      one.clock.advance(DAY - 1);
      expect((await send(one.client, key)).text).toBe(first.text);
      one.clock.advance(1);
      const later = await send(one.client, key);
      expect([later.status, later.text === first.text]).toEqual([201, false]);
      one.clock.advance(DAY);
      expect(await one.app.get(IdempotencyStore).purge()).toBeGreaterThan(0);
      expect(await one.app.get(IdempotencyStore).purge()).toBe(0);
    });
  }));
