import { setImmediate as turn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../fuzz/arbitraries.js';
import { pageOf, type Selection } from '../../src/kernel/page.js';
import { encodeCursor } from '../../src/platform/http/paging/cursor.js';
import type { SortKind } from '../../src/platform/http/paging/sort-kinds.js';
import { Appointment } from '../support/appointments/appointment.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine } from '../support/engines.js';
import { fillingOf, listsOf, withoutForeignKeys } from '../support/http/lists.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { type Service, startService } from '../support/service.js';

const ROWS = 1_000_000;
/** Inserted by one statement. */
const PART = 10_000;
const LIMIT = 20;
/** The last row of page 9,999. */
const DEPTH = LIMIT * 9_999;
const REQUESTS = 60;
const PATH = '/v1/appointments';

/** One of each kind of column; each value but an id has 10,000 rows or more, and a quarter of all are due at no time. */
const ORDERS: [by: keyof Appointment, kind: SortKind | undefined, descending: boolean][] = [
  ['id', undefined, true],
  ['dueAt', 'instant', false],
  ['dueAt', 'instant', true],
  ['vet', 'text', false],
  ['petId', 'int64', true],
];

describe('the first page and page 10,000 of a million rows', { timeout: 600_000 }, () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      const database = await engine.create();
      service = await startService(
        { create: () => Promise.resolve(database) },
        { modules: [AppointmentsModule] },
      );
      const source = service.app.get(DataSource);
      const { json } = await service.client.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      const list = listsOf(service.app, document).find(({ path }) => path === PATH)!;
      const [table, columns, values] = fillingOf(list, source.getMetadata(Appointment));
      const numbers =
        engine.name === 'SQLite'
          ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${PART}) SELECT n`
          : 'SELECT n';
      const from =
        engine.name === 'SQLite' ? 'numbers' : `(SELECT seq AS n FROM seq_1_to_${PART}) AS numbers`;
      for (let done = 0; done < ROWS; done += PART) {
        const shifted = `${numbers} + ${done} AS n FROM ${from}`;
        const rows = `SELECT ${values} FROM (${shifted}) AS shifted`;
        await withoutForeignKeys(database, `INSERT INTO ${table} (${columns}) ${rows}`);
        // SQLite lets nothing else be noticed meanwhile, such as connections that the service closes.
        await turn();
      }
    }, 600_000);
    afterAll(() => service.stop());

    /** Milliseconds, the median of many. */
    const timeOf = async (target: string): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < REQUESTS; i++) {
        const begun = performance.now();
        const { status, text } = await service.client.get(target);
        times.push(performance.now() - begun);
        expect(status, text).toBe(200);
      }
      return times.toSorted((a, b) => a - b)[REQUESTS / 2]!;
    };

    it.each(ORDERS)('cost the same by %s (%s, descending: %s)', async (by, kind, descending) => {
      const rows = service.app.get(DataSource).getRepository(Appointment);
      const direction = descending ? 'DESC' : 'ASC';
      // The slow way to the place, past the service.
      const { id } = await rows
        .createQueryBuilder('a')
        .select('a.id', 'id')
        .orderBy(`a.${by}`, direction)
        .addOrderBy('a.id', direction)
        .offset(DEPTH)
        .limit(1)
        .getRawOne<{ id: string }>()
        .then((found) => found!);
      const place = await rows.findOneByOrFail({ id: BigInt(id) });
      const sort: Selection<object>['sort'] = { by, descending };
      const { next } = pageOf([place, place], { sort, limit: 1 });
      const order = by === 'id' ? '' : `sort=${descending ? '-' : ''}${by}`;
      const cursor = encodeCursor({ list: '/appointments', filter: order, kind }, next!);
      const first = await timeOf(`${PATH}?${order}`);
      const deep = await timeOf(`${PATH}?${order}&cursor=${cursor}`);
      console.log(
        `${engine.name} ${order || '-id'}: page 1 ${first.toFixed(2)} ms, page 10,000 ${deep.toFixed(2)} ms`,
      );
      // Two statements instead of one at most; by offset it is 50 times as much.
      expect(deep).toBeLessThan(3 * first + 5);
    });
  }),
);
