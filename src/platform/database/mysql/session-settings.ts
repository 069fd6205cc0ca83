import type { Connection } from 'mysql2';

/** How long the server waits for a row lock, and works on one statement. The client gives up after that. */
const LOCK_TIMEOUT_S = 2;
const STATEMENT_TIMEOUT_S = 3;

/** What every connection needs, whatever the server's configuration says. Without it a connection must not be used. */
const REQUIRED = [
  // Strict, and never NO_BACKSLASH_ESCAPES: the driver escapes values with backslashes.
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO',
     time_zone = '+00:00', innodb_lock_wait_timeout = ${LOCK_TIMEOUT_S}`,
  // A step that lost a race looks again inside the same transaction and must see what the winner stored.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** The bound on the time of a statement, and how work that may take long lifts it. A server knows one of the two variables. */
export const BOUNDED = [
  `SET SESSION max_statement_time = ${STATEMENT_TIMEOUT_S}`, // MariaDB, in s
  `SET SESSION max_execution_time = ${STATEMENT_TIMEOUT_S * 1_000}`, // MySQL, in ms, for SELECT
];
export const UNBOUNDED = ['SET SESSION max_statement_time = 0', 'SET SESSION max_execution_time = 0'];

const WHERE_KNOWN = [
  ...BOUNDED,
  // Galera: a read on one node sees what was written on another before.
  'SET SESSION wsrep_sync_wait = 1',
];

const UNKNOWN_VARIABLE = 1193;

/** Gives a new connection its session, or closes it. What is asked of it meanwhile waits its turn. */
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
