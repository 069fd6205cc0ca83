import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  DatabaseUnavailable,
  DuplicateKey,
  StatementFailed,
  translateError,
} from '../../../../src/platform/database/database-errors.js';

const VALUE = 'Rex, whom nobody should find in a log';
const STATEMENT = 'INSERT INTO pets (name) VALUES (?)';

/** As the drivers make them: SQLite's messages name tables, MySQL's repeat values, and mysql2 adds the whole statement. */
function driverError(code: string) {
  if (code.startsWith('SQLITE_')) return Object.assign(new Error('no such table: pets'), { code });
  const sql = STATEMENT.replace('?', `'${VALUE}'`);
  return Object.assign(new Error(`${code} near '${VALUE}'`), { code, sql, sqlMessage: VALUE });
}
const failedQuery = (code: string) => new QueryFailedError(STATEMENT, [VALUE], driverError(code));

describe("a driver's error", () => {
  it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'])(
    'means that the key is taken: %s',
    (code) => expect(translateError(failedQuery(code))).toBeInstanceOf(DuplicateKey),
  );

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'ENOTFOUND',
    'PROTOCOL_CONNECTION_LOST',
    'ER_CON_COUNT_ERROR',
    'ER_SERVER_SHUTDOWN',
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_LOCK_DEADLOCK',
    'SQLITE_BUSY',
    'SQLITE_FULL',
  ])('means that the database cannot work now: %s', (code) => {
    expect(translateError(failedQuery(code))).toBeInstanceOf(DatabaseUnavailable);
  });

  it.each([
    ['ECONNREFUSED', false, false],
    ['ETIMEDOUT', false, false],
    ['ER_LOCK_DEADLOCK', false, true],
    ['ER_UNKNOWN_COM_ERROR', false, true],
    ['PROTOCOL_CONNECTION_LOST', true, true],
    ['ECONNRESET', true, true],
    ['ER_SERVER_SHUTDOWN', true, true],
    ['SQLITE_FULL', false, false],
  ])(
    'tells whether the statement may be done, and whether to hope: %s is %s, %s',
    (code, isOutcomeUnknown, isTransient) => {
      expect(translateError(failedQuery(code))).toMatchObject({ isOutcomeUnknown, isTransient });
    },
  );

  it('is known by its number where mysql2 has no name for it', () => {
    for (const code of ['UNKNOWN_CODE_PLEASE_REPORT', undefined]) {
      expect(translateError({ code, errno: 1927 })).toMatchObject({ errorClass: 'lost' });
      expect(translateError({ code, errno: 4031 })).toMatchObject({ errorClass: 'lost' });
      expect(translateError({ code, errno: 1969 })).toMatchObject({ errorClass: 'rolled_back' });
    }
  });

  it('means the same when no query was made yet', () => {
    expect(translateError(driverError('ECONNREFUSED'))).toBeInstanceOf(DatabaseUnavailable);
  });

  it.each(['ER_PARSE_ERROR', 'ER_NO_SUCH_TABLE', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT_NOTNULL'])(
    'names the statement when it is a bug of ours: %s',
    (code) => {
      const error = translateError(failedQuery(code)) as StatementFailed;
      expect(error).toBeInstanceOf(StatementFailed);
      expect(error.message).toContain(code);
      expect(error.message).toContain(STATEMENT);
    },
  );

  it.each(['ER_PARSE_ERROR', 'ER_DUP_ENTRY', 'ER_DATA_TOO_LONG', 'ECONNRESET', 'SQLITE_ERROR'])(
    'keeps nothing of the values that were bound: %s',
    (code) => {
      // What a logger could find: everything on the error, and everything on what caused it.
      for (
        let error = translateError(failedQuery(code)) as Error | undefined;
        error;
        error = error.cause as Error
      ) {
        const told = Object.getOwnPropertyNames(error).map((name) => String(error![name as keyof Error]));
        expect(told.join('\n')).not.toContain(VALUE);
      }
    },
  );

  it.each([new Error('no code'), Object.assign(new Error(), { code: 1062 }), 'a text', null, undefined])(
    'stays as it is when it is none: %s',
    (error) => expect(translateError(error)).toBe(error),
  );

  it('leaves its code as the cause, for the log', () => {
    expect(((translateError(failedQuery('ECONNRESET')) as Error).cause as Error).message).toBe('ECONNRESET');
  });

  it('does not get into the message for the client', () => {
    expect((translateError(failedQuery('ECONNRESET')) as Error).message).not.toMatch(/Rex|ECONN/);
  });
});
