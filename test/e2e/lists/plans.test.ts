import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { Events } from '../../../src/kernel/events.js';
import type { Outbox } from '../../../src/platform/events/outbox.js';
import { IdempotencyStore } from '../../support/rooms/http.js';
import type { Document } from '../../fuzz/arbitraries.js';
import { linked } from '../../support/api-client.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import {
  boundsOf,
  EXAMPLES,
  fillingOf,
  type Item,
  type List,
  listsOf,
  NUMBERS_TO,
  queriesOf,
  ROWS,
  withoutForeignKeys,
} from '../../support/http/lists.js';
import { BerthsModule } from '../../support/modules/berths-module.js';
import { JourneysModule } from '../../support/modules/journeys-module.js';
import { KennelsModule } from '../../support/modules/kennels-module.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { unlessTaken } from '../../support/samples.js';
import { type Service, startService } from '../../support/service.js';
import { type Statement, StatementRecorder } from '../../support/site/statement-recorder.js';

const LIMIT = 2;

/** The operators as SQLite writes them in a query plan. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<=': '<',
  '>=': '>',
  'IS NULL': '=',
  'IS NOT NULL': '>',
};

/** The tables without a list; each gets so many rows that a plan without an index would be slow. */
const FILLINGS: [table: string, columns: string, values: string][] = [
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

describe('no statement reads more rows than it needs', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let database: TestDatabase;
    let source: DataSource;
    const log = new StatementRecorder();
    const onSqlite = engine.name === 'SQLite';

    const fill = async ([table, columns, values]: (typeof FILLINGS)[number]) => {
      const rows = `SELECT ${values} FROM (${NUMBERS_TO[engine.name]!(ROWS)}) AS numbers`;
      await withoutForeignKeys(database, `INSERT INTO ${table} (${columns}) ${rows}`);
      await source.query(onSqlite ? 'ANALYZE' : `ANALYZE TABLE ${table}`);
    };

    beforeAll(async () => {
      // These modules stand for any modules; the test does not depend on what they contain.
      database = await engine.create();
      service = await startService(
        { create: () => Promise.resolve(database) },
        {
          modules: [KennelsModule, BerthsModule, ...unlessTaken(AppointmentsModule, JourneysModule)],
          hasTimers: false,
        },
      );
      source = service.app.get(DataSource);
      source.logger = log;
      for (const filling of FILLINGS) await fill(filling);
    });
    afterAll(() => service.stop());

    /** The faults in the query plan of a statement: scans without an index, sorts and temporary tables. */
    const faultsOf = async ({ text, values }: Statement): Promise<string[]> => {
      const plan = await source.query<object[]>(
        `${onSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${text}`,
        values,
      );
      // The line that combines a union is left out, because each part of the union has its own line.
      const lines = plan
        .map((line) => JSON.stringify(line))
        .filter((line) => !line.includes('"UNION RESULT"'));
      return lines.filter((line) =>
        (onSqlite ? /TEMP B-TREE|SCAN (?!.*INDEX)/ : /"type":"ALL"|filesort|temporary/).test(line),
      );
    };

    /** A page reads no unneeded row if the index covers every condition; the plans of both engines name the covered ones. */
    const vainOf = async ({ text, values }: Statement): Promise<string[]> => {
      const [, conditions = ''] = text.split(' WHERE ');
      const terms = [...conditions.matchAll(/["`]?(\w+)["`]? (=|[<>]=?|IS NULL|IS NOT NULL)/g)];
      if (!onSqlite) {
        const [plan] = await source.query<{ EXPLAIN: string }[]>(`EXPLAIN FORMAT=JSON ${text}`, values);
        const [, used = 'none'] = /"used_key_parts": \[(.*?)\]/.exec(plan!.EXPLAIN) ?? [];
        return terms.every(([, column]) => used.includes(`"${column}"`)) ? [] : [used];
      }
      const plan = await source.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${text}`, values);
      const found = plan.map(({ detail }) => detail.replaceAll('rowid', 'id')).join();
      // At most a hundred rows have the requested ids.
      if (text.includes('"id" IN (') && found.includes('id=?')) return [];
      const wanted = terms.map(([, column, operator]) => `${column}${OPERATORS[operator!] ?? operator}?`);
      return wanted.every((term) => found.includes(term)) ? [] : [found];
    };

    /** Runs the statements of requests and of the background work. */
    const work = async () => {
      const { client, app } = service;
      const headers = { 'Idempotency-Key': 'plans' };
      const body = { name: 'Rex', categoryId: 7 };
      const { json } = await client.post('/v1/pets', body, { headers });
      await client.post('/v1/pets', body, { headers });
      await Promise.all(['Rex', 'Bello', 'Luna'].map((name) => client.post('/v1/pets', { ...body, name })));
      const { id } = json as { id: number };
      await Promise.all([client.get(`/v1/pets/${id}`), client.get('/v1/pets/1'), client.get('/v1/pets/404')]);
      const order = (await client.post('/v1/store/orders', { petId: id })).json as { id: number };
      await client.send('PATCH', `/v1/store/orders/${order.id}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ status: 'cancelled' }),
      });
      await (app.get(Events) as Outbox).deliver();
      await app.get(IdempotencyStore, { strict: false }).purge();
      const apiKeys = app.get(ApiKeyService);
      const { key } = await apiKeys.issue({ name: 'plans' }, 'test', 'tester');
      await apiKeys.rotate(key.id, 0, 'test', 'tester');
      await apiKeys.historyOf(key.id);
      await apiKeys.revoke(key.id, 'tester');
    };

    const faultsOfAll = async (asked: readonly Statement[], look: (one: Statement) => Promise<string[]>) => {
      const faults: Record<string, string[]> = {};
      for (const one of new Map(asked.map((each) => [each.text, each])).values()) {
        const found = await look(one);
        if (found.length > 0) faults[one.text] = found;
      }
      return faults;
    };

    it('according to the engine, for each statement of requests and of background work', async () => {
      log.statements.length = 0;
      await work();
      // The query of due events groups their index; test/contract/outbox counts the rows that it reads.
      const asked = log.statements.filter(
        ({ text }) =>
          /^(?:SELECT|UPDATE|DELETE|INSERT INTO outbox .* SELECT)/.test(text) &&
          !/FROM .outbox. .message. INNER JOIN/.test(text),
      );
      expect(new Set(asked.map(({ text }) => text)).size).toBeGreaterThan(15);
      const remedy =
        'Each of these statements needs an index for its WHERE and its ORDER BY: add it to the schema and to a migration of the module.';
      expect(await faultsOfAll(asked, faultsOf), remedy).toEqual({});
    });

    it('for every list, in each order, with each filter and range, on its first two pages', async () => {
      const { client, app } = service;
      const { json } = await client.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      // The tables to which a list belongs are filled first.
      const lists = listsOf(app, document).toSorted((one, other) => one.parts.length - other.parts.length);
      expect(lists.map(({ path }) => path)).toEqual(
        expect.arrayContaining([
          '/v1/pets',
          '/v1/store/orders',
          '/v1/appointments',
          '/v1/berths/pets/500001/all',
        ]),
      );
      const pages = async (list: List, query: string) => {
        log.statements.length = 0;
        for (let page = `${list.path}?${list.required}limit=${LIMIT}&${query}`, i = 0; page && i < 2; i++) {
          const answer = await client.get(page);
          expect(answer.status, `${page} must return a page: ${answer.text}\n${EXAMPLES}`).toBe(200);
          page = linked(answer, 'next') ?? '';
        }
        return log.statements.filter(({ text }) => /^SELECT.* LIMIT (?:[1-3]|\?)$/.test(text));
      };
      /** Assignments to the columns that a statement compares with a part of the path. */
      const selectionOf = ({ text, values }: Statement, { parts }: List) =>
        [...text.matchAll(/(?:["`]?(\w+)["`]? = )?\?/g)].flatMap(([, column], i) =>
          column !== undefined && parts.includes(String(values[i]))
            ? `${column} = '${String(values[i])}'`
            : [],
        );
      const full = new Set<string>();
      for (const list of lists) {
        const [first] = await pages(list, '');
        const [, table = ''] = /FROM ["`]?(\w+)/.exec(first?.text ?? '') ?? [];
        const metadata = source.entityMetadatas.find(({ tableName }) => tableName === table);
        if (!first || !metadata)
          expect.fail(
            `${list.path} reads no table of an entity: ${first?.text}. Read it by keysetPage from the repository of the entity.`,
          );
        // A table may have several lists.
        if (!full.has(table)) await fill(fillingOf(list, metadata));
        full.add(table);
        const selection = selectionOf(first, list);
        if (selection.length > 0)
          await withoutForeignKeys(
            database,
            `UPDATE ${onSqlite ? 'OR IGNORE' : 'IGNORE'} ${table} SET ${selection.join(', ')}`,
          );
        const page = await client.get(`${list.path}?${list.required}limit=100`);
        expect(page.status, `${list.path} must return a page: ${page.text}\n${EXAMPLES}`).toBe(200);
        const items = page.json as Item[];
        const asked = [];
        const bounds = await boundsOf(list, client);
        for (const query of queriesOf(list, bounds, items, metadata.indices))
          asked.push(...(await pages(list, query)));
        expect(asked.length).toBeGreaterThan(1);
        const wanted = `${list.path} needs an index with the columns of the filter, then that of the order, then the id if the key has more columns; what each request selects by belongs to the filter that keysetPage gets`;
        expect(await faultsOfAll(asked, faultsOf), wanted).toEqual({});
        expect(await faultsOfAll(asked, vainOf), wanted).toEqual({});
      }
    });
  }));
