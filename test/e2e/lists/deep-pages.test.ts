import SqliteFile from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf, type Selection } from '../../../src/kernel/page.js';
import { encodeCursor } from '../../../src/platform/http/lists/cursor.js';
import type { SortKind } from '../../../src/platform/http/lists/listing.js';
import { Appointment } from '../../support/appointments/appointment.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { fillingOf, listsOf, NUMBERS_TO, withoutForeignKeys } from '../../support/http/lists.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';
import { type Service, startService } from '../../support/service.js';
import { type Statement, StatementRecorder } from '../../support/site/statement-recorder.js';
import type { Document } from '../../fuzz/arbitraries.js';

const ROWS = 20_000;
const LIMIT = 20;
/** The last row of page 499. */
const DEPTH = LIMIT * 499;
const PATH = '/v1/appointments';

/** One order per kind of column. Each value but an id occurs in 200 rows, and a quarter of all rows have no `dueAt`. */
const ORDERS: [by: keyof Appointment, kind: SortKind | undefined, descending: boolean][] = [
  ['id', undefined, true],
  ['dueAt', 'instant', false],
  ['dueAt', 'instant', true],
  ['vet', 'text', false],
  ['petId', 'int64', true],
];

/** A statement that reads appointments. */
const OF_APPOINTMENTS = /^SELECT .* FROM ["`]appointments["`]/;

describe('the first page and page 500', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Service;
    let source: DataSource;
    const recorder = new StatementRecorder();
    beforeAll(async () => {
      database = await engine.create();
      service = await startService(
        { create: () => Promise.resolve(database) },
        { samples: [AppointmentsModule] },
      );
      source = service.app.get(DataSource);
      source.logger = recorder;
      const { json } = await service.client.get('/openapi.json');
      const list = listsOf(service.app, resolvedDocument(json as unknown as Document)).find(
        ({ path }) => path === PATH,
      )!;
      const [table, columns, values] = fillingOf(list, source.getMetadata(Appointment));
      const rows = `SELECT ${values} FROM (${NUMBERS_TO[engine.name]!(ROWS)}) AS numbers`;
      await withoutForeignKeys(database, `INSERT INTO ${table} (${columns}) ${rows}`);
    });
    afterAll(() => service.stop());

    /** How many rows the engine reads to answer a statement. */
    const rowsOf = engine.name === 'SQLite' ? rowsOnSqlite : rowsOnMariaDb;
    const rowsReadFor = async (target: string): Promise<number> => {
      recorder.statements.length = 0;
      const { status, text } = await service.client.get(target);
      expect(status, text).toBe(200);
      const statements = recorder.statements.filter(({ text }) => OF_APPOINTMENTS.test(text));
      expect(statements).not.toEqual([]);
      let rows = 0;
      for (const statement of statements) rows += await rowsOf(statement);
      return rows;
    };

    /** Counts by a function that SQLite calls for each row that the index does not exclude. */
    function rowsOnSqlite({ text, values }: Statement): Promise<number> {
      const file = new SqliteFile(database.url.replace('sqlite:', ''), { readonly: true });
      let rows = 0;
      file.function('visited', (_id) => (rows += 1));
      const [, alias] = /FROM "appointments" ("\w+")/.exec(text)!;
      const isConditional = text.includes(' WHERE ');
      const [before, after] = isConditional ? [' WHERE ', ' AND '] : [' ORDER BY ', ' ORDER BY '];
      file.prepare(text.replace(before, ` WHERE visited(${alias}.id)${after}`)).all(...values);
      file.close();
      return Promise.resolve(rows);
    }

    function rowsOnMariaDb({ text, values }: Statement): Promise<number> {
      return source.transaction(async (manager) => {
        await manager.query('FLUSH STATUS');
        await manager.query(text, values);
        const counts = await manager.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read_%'");
        return counts.reduce((sum, { Value }) => sum + Number(Value), 0);
      });
    }

    /** Reads the row at `DEPTH` by OFFSET, bypassing the service. */
    const rowAtDepth = (by: keyof Appointment, direction: 'ASC' | 'DESC') =>
      source
        .getRepository(Appointment)
        .createQueryBuilder('a')
        .orderBy(`a.${by}`, direction)
        .addOrderBy('a.id', direction)
        .offset(DEPTH)
        .limit(1)
        .getOneOrFail();

    it.each(ORDERS)(
      'read the same number of rows by %s (%s, descending: %s)',
      async (by, kind, descending) => {
        const place = await rowAtDepth(by, descending ? 'DESC' : 'ASC');
        const sort: Selection<object>['sort'] = { by, descending };
        const { next } = pageOf([place, place], { sort, limit: 1 });
        const order = by === 'id' ? '' : `sort=${descending ? '-' : ''}${by}`;
        const cursor = encodeCursor({ list: '/appointments', filter: order, kind }, next!);
        const first = await rowsReadFor(`${PATH}?${order}`);
        const deep = await rowsReadFor(`${PATH}?${order}&cursor=${cursor}`);
        expect(first).toBeGreaterThan(LIMIT);
        // A page may take two statements: rows with the same value, then rows with the next values.
        expect(deep).toBeGreaterThan(LIMIT);
        expect(deep).toBeLessThanOrEqual(first + 3);
      },
    );

    it('would read all rows before it by their number', async () => {
      recorder.statements.length = 0;
      await rowAtDepth('id', 'DESC');
      const statement = recorder.statements.find(({ text }) => OF_APPOINTMENTS.test(text))!;
      expect(await rowsOf(statement)).toBeGreaterThan(DEPTH);
    });
  }));
