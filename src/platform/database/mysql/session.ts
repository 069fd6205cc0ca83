import type { Connection } from 'mysql2';

/** How long the server waits for a row lock, and how long it works on one statement. The deadline of the client is later. */
const LOCK_TIMEOUT_S = 2;
const STATEMENT_TIMEOUT_S = 3;
/** How long a migration waits until other statements on a table have ended. */
const TABLE_LOCK_TIMEOUT_S = 60;

const UNLIMITED = '18446744073709551615';

/**
 * Gives statements the same meaning, whatever the server's configuration, its start options or its `init_connect` contain. The driver
 * escapes values with backslashes, so the mode must not be NO_BACKSLASH_ESCAPES. Messages are classified in English. MySQL drops the digits
 * of a time that a column does not have, as MariaDB does.
 */
const MEANING = `SET NAMES utf8mb4 COLLATE utf8mb4_bin,
  sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
    /*!80000 ',TIME_TRUNCATE_FRACTIONAL' */,
  autocommit = 1, completion_type = 'NO_CHAIN', foreign_key_checks = 1, unique_checks = 1,
  time_zone = '+00:00', lc_messages = 'en_US', default_storage_engine = 'InnoDB',
  sql_safe_updates = 0, sql_auto_is_null = 0, sql_big_selects = 1, max_sort_length = 1024,
  sql_select_limit = ${UNLIMITED}, max_join_size = ${UNLIMITED},
  innodb_lock_wait_timeout = ${LOCK_TIMEOUT_S}, lock_wait_timeout = ${TABLE_LOCK_TIMEOUT_S}`;

/** A step that lost a race reads again inside the same transaction, and must see the row that the winner stored. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** The time limit of statements: in s on MariaDB, and in ms on MySQL, where it holds for SELECT. Each server skips the other's comment. */
const limitedTo = (seconds: number) =>
  `/*M!100600 max_statement_time = ${seconds} */ /*!80000 max_execution_time = ${seconds * 1_000} */`;
export const BOUNDED = `SET ${limitedTo(STATEMENT_TIMEOUT_S)}`;
/** For long work. */
export const UNBOUNDED = `SET ${limitedTo(0)}`;

/** On Galera, a read on one node sees earlier writes on the other nodes. A node outside its cluster serves no reads. */
const BY_VERSION = `${BOUNDED},
  /*M!100600 sql_if_exists = 0, check_constraint_checks = 1, system_versioning_asof = DEFAULT, wsrep_dirty_reads = 0, */
  wsrep_sync_wait = 1`;

/**
 * Statements that change the session, begin a transaction or take locks by hand, after comments. The server executes what is inside of
 * `/*!`, so such a comment counts as well.
 */
const CHANGES_SESSION =
  /^(?:\s|--.*\n|#.*\n|\/\*(?!M?!)[^]*?\*\/)*(?:\/\*|(?:SET|USE|BEGIN|START|XA|PREPARE|LOCK|FLUSH|BACKUP|HANDLER|CREATE\s+(?:OR\s+REPLACE\s+)?TEMPORARY)\b)/i;
/** Functions and variables inside of other statements. */
const CHANGES_SESSION_INSIDE = /\bGET_LOCK\b|:=|\bINTO\s+@/i;

/** Whether a session may be another one after this statement. What a stored procedure does is not seen. */
export const leavesTraces = (text: string): boolean =>
  CHANGES_SESSION.test(text) || CHANGES_SESSION_INSIDE.test(text);

const UNKNOWN_VARIABLE = 1193;

/** Applies the settings to a new connection, or calls `failed` once. Statements that are sent meanwhile wait in its queue. */
export function prepareSession(connection: Connection, failed: (error: unknown) => void): void {
  let isClosed = false;
  const demand = (error: unknown) => {
    if (!error || isClosed) return;
    isClosed = true;
    failed(error);
  };
  connection.query(MEANING, demand);
  connection.query(ISOLATION, demand);
  connection.query(BY_VERSION, (error) => {
    // A server that was built without Galera.
    if (error?.errno === UNKNOWN_VARIABLE) connection.query(BOUNDED, demand);
    else demand(error);
  });
}
