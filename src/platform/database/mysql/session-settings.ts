import type { Connection } from 'mysql2';

/** How long the server waits for a row lock, and how long it works on one statement. The client's deadline is later. */
const LOCK_TIMEOUT_S = 2;
const STATEMENT_TIMEOUT_S = 3;

/** Required on every connection, whatever the server's configuration. A connection without it is not used. */
const REQUIRED = [
  // Strict, and never NO_BACKSLASH_ESCAPES: the driver escapes values with backslashes.
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO',
     time_zone = '+00:00', innodb_lock_wait_timeout = ${LOCK_TIMEOUT_S}`,
  // A step that lost a race reads again inside the same transaction, and must see what the winner stored.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** The time limit of statements, and how to lift it for long work. A server knows one of the two variables. */
export const BOUNDED = [
  `SET SESSION max_statement_time = ${STATEMENT_TIMEOUT_S}`, // MariaDB, in s
  `SET SESSION max_execution_time = ${STATEMENT_TIMEOUT_S * 1_000}`, // MySQL, in ms, for SELECT
];
export const UNBOUNDED = ['SET SESSION max_statement_time = 0', 'SET SESSION max_execution_time = 0'];

const WHERE_KNOWN = [
  ...BOUNDED,
  // Galera: a read on one node sees earlier writes on the other nodes.
  'SET SESSION wsrep_sync_wait = 1',
];

const UNKNOWN_VARIABLE = 1193;

/** Applies the settings to a new connection, or closes it. Statements sent meanwhile wait in its queue. */
export function prepareSession(connection: Connection, failed: (error: unknown) => void): void {
  let isClosed = false;
  const fail = (error: unknown) => {
    if (isClosed) return;
    isClosed = true;
    failed(error);
    connection.destroy();
  };
  for (const statement of REQUIRED) connection.query(statement, (error) => error && fail(error));
  for (const statement of WHERE_KNOWN) {
    connection.query(statement, (error) => {
      if (error && error.errno !== UNKNOWN_VARIABLE) fail(error);
    });
  }
}
