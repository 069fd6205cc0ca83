import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  afterCommit,
  beforeCommit,
  CLASSES,
  DatabaseNotOpen,
  DatabaseUnusable,
  type ErrorClass,
  isMissingTable,
  reasonOf,
  listedClassOf,
  StatementFailed,
  translateError,
} from '../../../support/rooms/database.js';
import { DatabaseUnavailable, DuplicateKey, isFull } from '../../../../src/platform/database/index.js';

const VALUE = 'Rex, whom nobody should find in a log';
const STATEMENT = 'INSERT INTO pets (name) VALUES (?)';

/** Error numbers of the server and their SQLSTATEs, by mysql2's names. */
const NUMBERS: Readonly<Record<string, readonly [errno: number, sqlState: string]>> = {
  ER_CON_COUNT_ERROR: [1040, '08004'],
  ER_UNKNOWN_COM_ERROR: [1047, '08S01'],
  ER_SERVER_SHUTDOWN: [1053, '08S01'],
  ER_DUP_ENTRY: [1062, '23000'],
  ER_PARSE_ERROR: [1064, '42000'],
  ER_BAD_FIELD_ERROR: [1054, '42S22'],
  ER_LOCK_WAIT_TIMEOUT: [1205, 'HY000'],
  ER_LOCK_DEADLOCK: [1213, '40001'],
  ER_TRUNCATED_WRONG_VALUE: [1292, '22007'],
};

/** Errors as the drivers create them: SQLite's messages name tables, MySQL's repeat values, mysql2 adds the whole statement. */
function driverError(code: string) {
  if (code.startsWith('SQLITE_')) return Object.assign(new Error('no such column: pets.colour'), { code });
  const sql = STATEMENT.replace('?', `'${VALUE}'`);
  const [errno, sqlState] = NUMBERS[code] ?? [];
  return Object.assign(new Error(`it is wrong near '${VALUE}' in '${VALUE}'`), {
    code,
    errno,
    sqlState,
    sql,
    sqlMessage: VALUE,
  });
}
const failedQuery = (code: string) => new QueryFailedError(STATEMENT, [VALUE], driverError(code));

describe("a driver's error", () => {
  it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'])(
    'means that the key is taken: %s',
    (code) => expect(translateError(failedQuery(code))).toBeInstanceOf(DuplicateKey),
  );

  it.each<[ErrorClass, numbers: number[], sqlStates: string[], codes: string[]]>([
    ['unreached', [1226], ['08004'], ['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'ER_CON_COUNT_ERROR']],
    ['refused', [1047, 1290], [], ['ER_UNKNOWN_COM_ERROR']],
    ['read_only', [1665], ['25006'], ['SQLITE_READONLY_DBMOVED']],
    ['full', [1021, 1114], [], ['SQLITE_FULL', 'SQLITE_IOERR_WRITE']],
    ['conflict', [1020], ['40000', '40001'], ['ER_LOCK_DEADLOCK', 'SQLITE_BUSY_SNAPSHOT']],
    ['busy', [], [], ['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY']],
    ['rolled_back', [1205, 3024], ['70100', 'HY001'], ['ER_LOCK_WAIT_TIMEOUT', 'SQLITE_LOCKED']],
    [
      'lost',
      [1180, 1927],
      ['08S01'],
      ['ECONNRESET', 'PROTOCOL_CONNECTION_LOST', 'ER_SERVER_SHUTDOWN', 'SQLITE_IOERR_FSYNC'],
    ],
    ['too_large', [1153], [], []],
    ['denied', [1044, 1045, 1049, 1142, 1143, 3118, 3159, 4151], ['28000', '3D000'], []],
    ['damaged', [1030, 1814, 1932], ['42S02'], ['SQLITE_IOERR_READ', 'SQLITE_CORRUPT_INDEX']],
  ])(
    'is %s by its number, whatever its code is in mysql2, by its SQLSTATE or by its code',
    (errorClass, ...by) => {
      const [numbers, sqlStates, codes] = by;
      const known = numbers.flatMap((errno) =>
        ['UNKNOWN_CODE_PLEASE_REPORT', 'ER_BULK_PARSER_ERROR', undefined].map((code) => ({ code, errno })),
      );
      const errors = [
        ...known.map((error) => ({ ...error, sqlState: '08S01' })),
        ...sqlStates.map((sqlState) => ({ errno: 1, sqlState })),
        ...codes.map(failedQuery),
      ];
      for (const error of errors)
        expect([error, translateError(error)]).toMatchObject([error, { errorClass }]);
      for (const sqlState of sqlStates) expect(listedClassOf({ errno: 1, sqlState })).toBe(errorClass);
    },
  );

  it.each(['HY000', '42000', '23000'])(
    'is not an error of the availability by the SQLSTATE %s',
    (sqlState) => {
      expect(translateError({ errno: 1, sqlState })).toEqual({ errno: 1, sqlState });
    },
  );

  it('is recognised by its message if SQLite has no code: a table is missing', () => {
    const missing = Object.assign(new Error('no such table: pets'), { code: 'SQLITE_ERROR' });
    expect(translateError(new QueryFailedError(STATEMENT, [], missing))).toMatchObject({
      errorClass: 'damaged',
      cause: new Error('SQLITE_ERROR (no such table: pets)'),
    });
  });

  it.each([
    [1142, "INSERT command denied to user 'app'@'localhost' for table `pets`"],
    [1290, 'The MariaDB server is running with the --read-only option so it cannot execute this statement'],
    [1021, 'Disk full (/tmp/#sql); waiting for someone to free some space...'],
  ])('means that the database can be read, and says why it accepts no writes: %s', (errno, message) => {
    expect(translateError({ errno, message })).toMatchObject({
      code: 'database_read_only',
      needsOperator: false,
      cause: new Error(`ERRNO_${errno} (${message})`),
    });
  });

  it('has a message of its own if a driver rejects a value', () => {
    const error = translateError(new QueryFailedError(STATEMENT, [VALUE], new RangeError('too big')));
    expect((error as Error).message).toBe(`RangeError (too big) from ${STATEMENT}`);
  });

  it('means a lost connection if mysql2 gives up the connection, whatever its code', () => {
    for (const more of [{}, { code: 'PROTOCOL_ERROR' }, { errno: 9999 }]) {
      const error = { fatal: true, ...more } as never;
      expect(translateError(new QueryFailedError(STATEMENT, [], error))).toMatchObject({
        errorClass: 'lost',
      });
    }
  });

  it.each([
    [1142, "SELECT command denied to user 'app'@'localhost' for table `pets`"],
    [1045, "Access denied for user 'app'@'localhost' (using password: YES)"],
    [1030, 'Got error 28 "No space left on device" from storage engine Aria'],
  ])('shows the operator the whole message if only the operator can help: %s', (errno, message) => {
    const error = translateError({ errno, message, sqlState: '28000' }) as DatabaseUnavailable;
    expect(error).toMatchObject({ needsOperator: true, isTransient: false });
    expect((error.cause as Error).message).toBe(`ERRNO_${errno} (${message})`);
    expect(error.message).not.toContain(message);
  });

  it.each([
    ['ER_DUP_ENTRY', `Duplicate entry '${VALUE} for key 'x'' for key 'pets.one_name'`, 'one_name'],
    ['ER_DUP_ENTRY', `Duplicate entry '${VALUE}' for key 'PRIMARY'`, 'PRIMARY'],
    [
      'ER_NO_REFERENCED_ROW_2',
      'a foreign key constraint fails (`a`.`pets`, CONSTRAINT `of_owner` FOREIGN KEY (`owner`) REFERENCES `owners` (`id`))',
      'of_owner',
    ],
    ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE constraint failed: pets.name', 'pets.name'],
    ['ER_DATA_TOO_LONG', `${VALUE} for key 'no'`, undefined],
  ])('names the violated constraint: %s, %s', (code, message, constraint) => {
    const error = new QueryFailedError(
      STATEMENT,
      [VALUE],
      Object.assign(new Error(message), { code, errno: 1 }),
    );
    expect(translateError(error)).toMatchObject({
      code,
      query: STATEMENT,
      driverError: { code, constraint },
    });
    expect(translateError(translateError(error))).toEqual(translateError(error));
  });

  it.each(['ER_PARSE_ERROR', 'ER_DUP_ENTRY', 'ER_TRUNCATED_WRONG_VALUE', 'ECONNRESET', 'SQLITE_ERROR'])(
    'contains none of the bound values: %s',
    (code) => {
      // Everything that a logger could read: all properties of the error and of its causes.
      let error = translateError(failedQuery(code)) as Error | undefined;
      for (; error; error = error.cause as Error) {
        const told = Object.getOwnPropertyNames(error).map((name) => String(error![name as keyof Error]));
        expect(told.join('\n')).not.toContain(VALUE);
      }
    },
  );

  it.each([new Error('no code'), Object.assign(new Error(), { code: 1062 }), 'a text', null, undefined])(
    'stays unchanged when it is not an error of a driver: %s',
    (error) => expect(translateError(error)).toBe(error),
  );

  it('keeps its code as the cause, for the log', () => {
    expect(((translateError(failedQuery('ECONNRESET')) as Error).cause as Error).message).toBe(
      "ECONNRESET (it is wrong near '?')",
    );
  });
});

const ALL = Object.keys(CLASSES) as ErrorClass[];
const RETRYABLE = ['refused', 'read_only', 'conflict', 'busy', 'rolled_back', 'lost'];
const cause = new Error('ERRNO_1 (why)');
const unavailable = (errorClass: ErrorClass) => new DatabaseUnavailable(cause, errorClass);

describe('a database that is unavailable', () => {
  it('is unreached by default', () => {
    expect(new DatabaseUnavailable()).toMatchObject({ errorClass: 'unreached', remedy: undefined });
  });

  it.each(ALL)('says in its message and code whether it can still be read: %s', (errorClass) => {
    const { message, code, cause: why } = unavailable(errorClass);
    const noWrites = [
      'The database accepts no writes at the moment. Reads still work.',
      'database_read_only',
    ];
    const expected: Partial<Record<ErrorClass, string[]>> = {
      read_only: noWrites,
      full: noWrites,
      too_large: ['The database rejects a statement of this size.', 'database_unavailable'],
    };
    const unreached = ['The database cannot be reached at the moment.', 'database_unavailable'];
    expect([message, code]).toEqual(expected[errorClass] ?? unreached);
    expect(why).toBe(cause);
  });

  it.each<[string, (error: DatabaseUnavailable) => unknown, string[]]>([
    ['is full', isFull, ['full']],
    ['may have done the statement', (error) => error.isOutcomeUnknown, ['lost']],
    ['may soon work', (error) => error.isTransient, RETRYABLE],
    ['needs its operator', (error) => error.needsOperator, ['denied', 'damaged']],
    ['says what to do', (error) => error.remedy, ['read_only', 'full', 'too_large', 'denied', 'damaged']],
  ])('%s in exactly these classes of errors', (_, is, classes) => {
    expect(ALL.filter((one) => is(unavailable(one)))).toEqual(classes);
    expect(unavailable('full').remedy).toBe('Free some space on its disk.');
  });

  it.each([
    [{ code: 'DB_NO_HOST' }, 'unreached', /^All hosts failed a moment ago, .* check DATABASE_URL\.$/],
    [{ code: 'ER_ACCESS_DENIED_ERROR', errno: 1045 }, 'denied', /^Check user, password .* may log in\. See /],
    [{ code: 'ER_SECURE_TRANSPORT_REQUIRED', errno: 3159 }, 'denied', /^Add \?tls=verify to DATABASE_URL\.$/],
    [
      { code: 'ER_DBACCESS_DENIED_ERROR', errno: 1044 },
      'denied',
      /^Check user, .* the privileges of the user\./,
    ],
  ])('says what to do about single errors, otherwise about their class: %o', (error, errorClass, remedy) => {
    const fatal = Object.assign(new Error('why'), error, { fatal: true });
    expect(translateError(fatal)).toMatchObject({
      errorClass,
      remedy: expect.stringMatching(remedy) as string,
    });
  });

  it.each([
    ["ER_NO_SUCH_TABLE (Table 'petstore.leases' doesn't exist)", true],
    ['SQLITE_ERROR (no such table: leases)', true],
    ['the cause of ER_NO_SUCH_TABLE', false],
    ['the cause of SQLITE_ERROR (no such table: leases)', false],
    ['SQLITE_ERROR (no such column: leases)', false],
    ['ERRNO_1', false],
  ])('lacks a table if its cause says so: %s is %s', (message, isMissing) => {
    expect(isMissingTable(new DatabaseUnavailable(new Error(message), 'damaged'))).toBe(isMissing);
    expect(isMissingTable(new Error(message, { cause: new Error(message) }))).toBe(false);
    expect(isMissingTable(new DatabaseUnavailable())).toBe(false);
  });

  it.each([
    ['was surely not changed if the connection was lost before', beforeCommit, ['lost'], 'rolled_back'],
    ['may have been changed if it rejected', afterCommit, ['refused', 'read_only', 'damaged'], 'lost'],
  ] as const)('%s the commit', (_, judge, classes: readonly string[], becomes) => {
    const seen = ALL.map((one) => judge(unavailable(one)) as DatabaseUnavailable);
    expect(seen.map(({ errorClass }) => errorClass)).toEqual(
      ALL.map((one) => (classes.includes(one) ? becomes : one)),
    );
    expect(seen.every((error) => error.cause === cause)).toBe(true);
    expect(judge(cause)).toBe(cause);
  });

  it('that cannot be opened has a reason and a remedy', () => {
    const error = new DatabaseUnusable('It is locked.', 'Stop the other one.', { cause });
    expect(error).toMatchObject({ what: 'It is locked.', remedy: 'Stop the other one.', cause });
    expect(error.message).toBe('It is locked. Stop the other one.');
  });
});

describe('the error of a statement', () => {
  const messageOf = (error: object, statement = STATEMENT) =>
    (translateError(new QueryFailedError(statement, [], error as Error)) as Error).message;

  it('contains its code or reason, and the statement', () => {
    expect(new DuplicateKey()).toMatchObject({ message: 'duplicate key', code: 'ER_DUP_ENTRY' });
    expect(translateError(failedQuery('ER_DUP_ENTRY'))).toMatchObject({
      message: `ER_DUP_ENTRY (it is wrong near '?') from ${STATEMENT}`,
    });
    expect(new StatementFailed('RangeError', STATEMENT)).toMatchObject({
      query: STATEMENT,
      message: `RangeError from ${STATEMENT}`,
      code: 'RangeError',
    });
  });

  it.each([
    [1005, 'Can\'t create table `a`.`pets` (errno: 121 "Duplicate key")'],
    [1054, "Unknown column 'colour' in 'field list'"],
    [1264, "Out of range value for column 'id' at row 1"],
    [1364, "Field 'name' doesn't have a default value"],
    [1406, "Data too long for column 'name' at row 1"],
  ])('keeps the words of a message that quotes names: %s', (errno, message) => {
    expect(messageOf({ code: 'ER_X', errno, message })).toBe(`ER_X (${message}) from ${STATEMENT}`);
  });

  it.each([
    [1062, "Duplicate entry 'it's' for key 'x'' for key 'pets.name'", "Duplicate entry '?'"],
    [
      1064,
      'the right syntax to use near \'"Rex" AND 5\' at line 1',
      "the right syntax to use near '?' at line 1",
    ],
    [
      1366,
      "Incorrect integer value: 'Rex' for column `a`.`b` at row 1",
      "Incorrect integer value: '?' for column `a`.`b` at row 1",
    ],
    [3140, 'Invalid JSON text: "Rex" in value', 'Invalid JSON text: "?" in value'],
  ])('hides everything that other messages quote: %s', (errno, message, kept) => {
    expect(messageOf({ code: 'ER_X', errno, message })).toBe(`ER_X (${kept}) from ${STATEMENT}`);
  });

  it.each([
    [
      'INSERT INTO "pets2" VALUES (NULL, -987654, 1.5e-7, .5)',
      'INSERT INTO "pets2" VALUES (NULL, ?, ?-?, ?)',
    ],
    ["SELECT 'a', x FROM t WHERE n = 'it''s' AND m = 'Rex'", 'SELECT ?, x FROM t WHERE n = ? AND m = ?'],
    ["SELECT '' AS x, 'Rex'", 'SELECT ? AS x, ?'],
    [String.raw`SELECT 'a\' , 'Rex', x`, 'SELECT ?'],
    // What follows a backslash may be part of the text, also up to the end of a name.
    [String.raw`SELECT 'a\Rex' FROM "pets"`, 'SELECT ?'],
    ["SELECT 'a\\Rex' FROM `pets`", 'SELECT ?'],
    ['SELECT "Rex', 'SELECT "Rex'],
    ["SELECT 'Rex", 'SELECT ?'],
    ["SELECT \"it's\" FROM t WHERE a-1 = 'Rex'", 'SELECT "it\'s" FROM t WHERE a-? = ?'],
  ])('on SQLite contains the statement without its values: %s', (statement, told) => {
    const error = Object.assign(new Error('near "\'Rex\'": syntax error'), { code: 'SQLITE_ERROR' });
    expect(messageOf(error, statement)).toBe(`SQLITE_ERROR (near "?": syntax error) from ${told}`);
  });

  it('on SQLite keeps the word that SQLite cannot parse, if that word is not a value', () => {
    const error = Object.assign(new Error('near "FORM": syntax error'), { code: 'SQLITE_ERROR' });
    expect(messageOf(error, 'SELECT')).toBe('SQLITE_ERROR (near "FORM": syntax error) from SELECT');
  });

  it('on MySQL treats texts in double quotes as values too', () => {
    const error = { code: 'ER_PARSE_ERROR', errno: 1064, message: 'wrong' };
    expect(messageOf(error, 'SELECT `a b`, "Rex" FROM `it\'s` LIMIT 20')).toBe(
      "ER_PARSE_ERROR (wrong) from SELECT `a b`, ? FROM `it's` LIMIT ?",
    );
  });
});

describe('the reason of a failure', () => {
  it('is told in the words of the database if the database caused it', () => {
    expect(reasonOf(new DatabaseUnavailable(new Error('ECONNREFUSED (no)')))).toBe('ECONNREFUSED (no)');
    expect(reasonOf(new Error('no broom', { cause: 'none' }))).toBe('no broom');
  });
});

describe('the code of an error', () => {
  const causeOf = (error: object) => ((translateError(error) as Error).cause as Error).message;
  const codeOf = (error: object) =>
    (translateError(new QueryFailedError(STATEMENT, [], error as Error)) as StatementFailed).code;

  it("is its name, or its number if mysql2 has no name or the name of another server's error", () => {
    expect(causeOf({ code: 'ER_LOCK_DEADLOCK', sqlState: '40001' })).toBe('ER_LOCK_DEADLOCK ()');
    expect(causeOf({ code: 'UNKNOWN_CODE_PLEASE_REPORT', errno: 1213, sqlState: '40001' })).toBe(
      'ERRNO_1213 ()',
    );
    expect(causeOf({ fatal: true, message: 'Bad handshake' })).toBe('FATAL (Bad handshake)');
    expect(codeOf({ code: 'ER_OF_MYSQL', errno: 3_999 })).toBe('ER_OF_MYSQL');
    expect(codeOf({ code: 'ER_OF_MYSQL', errno: 4_000 })).toBe('ERRNO_4000');
    expect(codeOf({ code: 'X_SQLITE_BUSY' })).toBe('X_SQLITE_BUSY');
    expect(codeOf(new RangeError('too big'))).toBe('RangeError');
  });

  it('decides, and not a message that resembles another error', () => {
    expect(codeOf({ code: 'ER_PARSE_ERROR', errno: 1064, message: 'no such table: pets' })).toBe(
      'ER_PARSE_ERROR',
    );
    expect(translateError({ errno: 1044, message: 'INSERT command denied to user' })).toMatchObject({
      errorClass: 'denied',
    });
  });

  it('leaves an error unchanged that has no statement and says nothing about the database', () => {
    const error = { code: 'ER_PARSE_ERROR', errno: 1064 };
    expect(translateError(error)).toBe(error);
  });

  it('appears once in the log', () => {
    expect(Object.keys(translateError(failedQuery('ER_PARSE_ERROR')) as Error)).not.toContain('driverError');
  });
});

describe('a database that is not open yet', () => {
  it('is unavailable, and its error says when it is opened', () => {
    expect(new DatabaseNotOpen()).toMatchObject({
      errorClass: 'unreached',
      cause: new Error(
        'The database is opened after the modules: ask it in a migration, a job or an interval.',
      ),
    });
  });
});
