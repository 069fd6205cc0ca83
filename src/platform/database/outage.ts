/**
 * How a database can be unable to work:
 * - `unreached`: no connection came about, so nothing was sent;
 * - `refused`: the server says that it cannot take part now, for example a Galera node without its cluster;
 * - `conflict`: rivals were faster, and the whole transaction was rolled back; nothing is wrong with the database;
 * - `undone`: the statement, or the whole transaction, was rolled back for another reason: it took too long, for example;
 * - `lost`: the connection ended, or nobody answered in time: whether the statement was done is unknown;
 * - `full`: there is no room; trying again does not help.
 */
export type Outage = 'unreached' | 'refused' | 'conflict' | 'undone' | 'lost' | 'full';

/** Our own code for an answer that did not come in time. */
export const NO_ANSWER = 'DB_NO_ANSWER';
/** Our own code for a connection that did not become free in time. */
export const NO_CONNECTION = 'DB_NO_CONNECTION';

const CODES: Readonly<Record<Outage, readonly string[]>> = {
  unreached: [
    'ECONNREFUSED',
    'ETIMEDOUT', // mysql2 gives this code only to a handshake
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'HANDSHAKE_SSL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
    'ER_CON_COUNT_ERROR',
    'ER_TOO_MANY_USER_CONNECTIONS',
    NO_CONNECTION,
  ],
  refused: ['ER_UNKNOWN_COM_ERROR', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE'],
  conflict: [
    'ER_LOCK_DEADLOCK', // on Galera also a conflict with another node, told at COMMIT at the latest
    'ER_CHECKREAD',
    'SQLITE_BUSY_SNAPSHOT',
  ],
  undone: [
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_QUERY_INTERRUPTED',
    'ER_QUERY_TIMEOUT',
    'ERRNO_1969', // MariaDB: max_statement_time exceeded
    'SQLITE_BUSY',
  ],
  lost: [
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'PROTOCOL_ENQUEUE_AFTER_DESTROY',
    'ECONNRESET',
    'EPIPE',
    'ER_SERVER_SHUTDOWN',
    'ER_ERROR_DURING_COMMIT',
    'ERRNO_1927', // MariaDB: connection killed
    'ER_CLIENT_INTERACTION_TIMEOUT',
    'ERRNO_4031', // MySQL: disconnected after a time without statements
    NO_ANSWER,
  ],
  full: ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ER_RECORD_FILE_FULL', 'ER_DISK_FULL'],
};

const meanings = new Map(
  Object.entries(CODES).flatMap(([outage, codes]) => codes.map((code) => [code, outage as Outage] as const)),
);

/** The code of a driver's error; undefined if it is none. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (typeof code === 'string' && code !== 'UNKNOWN_CODE_PLEASE_REPORT') return code;
  return typeof errno === 'number' ? `ERRNO_${errno}` : undefined; // mysql2 has no names for MariaDB's own
}

/** Which outage a driver's error stands for; undefined for every other failure. */
export const outageOf = (error: unknown): Outage | undefined => meanings.get(codeOf(error) ?? '');

/** Whether the server itself is to blame, so that others should be asked before it. */
export function speaksAgainstHost(error: unknown): boolean {
  const outage = outageOf(error);
  return outage === 'unreached' || outage === 'refused' || outage === 'lost';
}
