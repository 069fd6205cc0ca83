import { AbstractLogger, DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../src/access/index.js';
import { Events } from '../../src/kernel/events.js';
import { PetAdded, PetStatusChanged } from '../../src/pets/index.js';
import type { Outbox } from '../../src/platform/events/outbox.js';
import { IdempotencyStore } from '../../src/platform/http/idempotency/idempotency-store.js';
import { linked } from '../support/api-client.js';
import { onEveryEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';

const ROWS = 20_000;

/** Numbers from 1 to `ROWS`. */
const NUMBERS: Readonly<Record<string, string>> = {
  SQLite: `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS}) SELECT n FROM numbers`,
  MariaDB: `SELECT seq AS n FROM seq_1_to_${ROWS}`,
};

/** Every table with so many rows that a plan without an index would be a bad one; ids far from those of the test. */
const FILLINGS: [table: string, columns: string, values: string][] = [
  [
    'pets',
    'id, name, category_id, status',
    `n + 500000, 'Rex', 7, CASE WHEN n % 20 < 12 THEN 'available' WHEN n % 20 < 17 THEN 'pending' ELSE 'sold' END`,
  ],
  ['orders', 'id, pet_id, status, placed_at', `n + 500000, n, 'placed', 1`],
  [
    'outbox',
    'id, subscriber, thing, position, kind, facts, recorded_at, next_try_at, failures',
    `n + 500000, 'somebody', 'pet/1', n, 'PetAdded', '{}', 1, 9000000000000000, 0`,
  ],
  [
    'stored_answers',
    'caller, operation, idempotency_key, body_hash, answer, expires_at',
    `'9', 'x', n, 'y', 'z', 9000000000000000`,
  ],
  ['api_keys', 'id, name, secret_hash, created_at', `n + 500000, 'Rex', n, 1`],
];

interface Question {
  readonly statement: string;
  readonly values: unknown[];
}

/** Writes down every statement that goes through TypeORM. */
class Listener extends AbstractLogger {
  readonly asked: Question[] = [];

  override logQuery(text: string, values: unknown[] = []): void {
    this.asked.push({ statement: text.replaceAll(/\s+/g, ' '), values });
  }

  protected override writeLog(): void {}
}

describe('no statement reads more rows than it needs, however large the tables are', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      const listener = {
        module: class Listener {},
        providers: [
          {
            provide: 'listener',
            inject: [Events],
            useFactory: (events: Events) => {
              for (const kind of [PetAdded, PetStatusChanged])
                events.subscribe(kind as never, 'listener', () => Promise.resolve());
              return events;
            },
          },
        ],
      };
      service = await startService(engine, { modules: [listener] });
    });
    afterAll(() => service.stop());

    /** What is wrong with the plan for a statement: rows that are read in vain, or sorted. */
    const faultsOf = async ({ statement, values }: Question): Promise<string[]> => {
      const source = service.app.get(DataSource);
      const onSqlite = engine.name === 'SQLite';
      const plan = await source.query<object[]>(
        `${onSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${statement}`,
        values,
      );
      const lines = plan.map((line) => JSON.stringify(line));
      const faults = lines.filter((line) =>
        (onSqlite ? /TEMP B-TREE|SCAN (?!.*INDEX)/ : /"type":"ALL"|filesort|temporary/).test(line),
      );
      const ofStatus = /^SELECT.* WHERE (?:\S+\.)?[`"]?status[`"]? = /.test(statement);
      return ofStatus ? [...faults, ...lines.filter((line) => !line.includes('_by_status'))] : faults;
    };

    /** Everything that requests and the work in the background do. */
    const work = async () => {
      const { client, app } = service;
      const headers = { 'Idempotency-Key': 'plans' };
      const body = { name: 'Rex', categoryId: 7 };
      const { json } = await client.post('/v1/pets', body, { headers });
      await client.post('/v1/pets', body, { headers });
      await Promise.all(['Rex', 'Bello', 'Luna'].map((name) => client.post('/v1/pets', { ...body, name })));
      const { id } = json as { id: number };
      await Promise.all([client.get(`/v1/pets/${id}`), client.get('/v1/pets/1'), client.get('/v1/pets/404')]);
      for (const path of [
        '/v1/pets?limit=2',
        '/v1/pets?status=available&limit=2',
        '/v1/store/orders?limit=2',
        '/v1/store/orders?status=placed&limit=2',
      ]) {
        const page = await client.get(path);
        await client.get(linked(page, 'next')!);
      }
      const order = (await client.post('/v1/store/orders', { petId: id })).json as { id: number };
      await client.send('PATCH', `/v1/store/orders/${order.id}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ status: 'cancelled' }),
      });
      await (app.get(Events) as Outbox).deliver();
      await app.get(IdempotencyStore, { strict: false }).purge();
      const apiKeys = app.get(ApiKeyService);
      const { key } = await apiKeys.issue({ name: 'plans' }, 'test', 'tester');
      await apiKeys.rotate(key.props.id, 0, 'test', 'tester');
      await apiKeys.historyOf(key.props.id);
      await apiKeys.revoke(key.props.id, 'tester');
    };

    it('is what the engine says of each', async () => {
      const source = service.app.get(DataSource);
      for (const [table, columns, values] of FILLINGS) {
        await source.query(
          `INSERT INTO ${table} (${columns}) SELECT ${values} FROM (${NUMBERS[engine.name]}) AS numbers`,
        );
      }
      await source.query(
        engine.name === 'SQLite' ? 'ANALYZE' : 'ANALYZE TABLE pets, orders, outbox, stored_answers, api_keys',
      );
      const { asked } = (source.logger = new Listener());
      await work();
      const different = [...new Map(asked.map((one) => [one.statement, one])).values()].filter(
        ({ statement }) => /^(?:SELECT|UPDATE|DELETE|INSERT INTO outbox)/.test(statement),
      );
      expect(different.length).toBeGreaterThan(20);
      const bad: Record<string, string[]> = {};
      for (const one of different) {
        const faults = await faultsOf(one);
        if (faults.length > 0) bad[one.statement] = faults;
      }
      expect(bad).toEqual({});
    });
  }));
