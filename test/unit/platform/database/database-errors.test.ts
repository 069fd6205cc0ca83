import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  DatabaseUnavailable,
  DuplicateKey,
  translated,
} from '../../../../src/platform/database/database-errors.js';

const driverError = (code: string) => Object.assign(new Error(`SELECT secret: ${code}`), { code });
const failedQuery = (code: string) => new QueryFailedError('SELECT secret', [], driverError(code));

describe("a driver's error", () => {
  it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'])(
    'means that the key is taken: %s',
    (code) => expect(translated(failedQuery(code))).toBeInstanceOf(DuplicateKey),
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
    expect(translated(failedQuery(code))).toBeInstanceOf(DatabaseUnavailable);
  });

  it('means the same when no query was made yet', () => {
    expect(translated(driverError('ECONNREFUSED'))).toBeInstanceOf(DatabaseUnavailable);
  });

  it.each(['ER_PARSE_ERROR', 'ER_NO_SUCH_TABLE', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT_NOTNULL'])(
    'stays as it is when it is a bug of ours: %s',
    (code) => {
      const error = failedQuery(code);
      expect(translated(error)).toBe(error);
    },
  );

  it.each([new Error('no code'), Object.assign(new Error(), { code: 1062 }), 'a text', null, undefined])(
    'stays as it is when it is none: %s',
    (error) => expect(translated(error)).toBe(error),
  );

  it('is kept as the cause, for the log', () => {
    const error = failedQuery('ECONNRESET');
    expect((translated(error) as Error).cause).toBe(error);
  });

  it('does not get into the message for the client', () => {
    expect((translated(failedQuery('ECONNRESET')) as Error).message).not.toMatch(/secret|ECONN/);
  });
});
