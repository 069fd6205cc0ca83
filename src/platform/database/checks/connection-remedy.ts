import { type DatabaseUrl, describeHost } from '../../config/database-url.js';
import { grant, MIGRATING, quoted, SERVING } from './grants.js';

type Server = Extract<DatabaseUrl, { engine: 'mysql' }>;

/** Remedies by the error codes of mysql2 and of the network, the most specific first. */
const REMEDIES: Readonly<Record<string, (server: Server, reason: string) => string>> = {
  ER_DBACCESS_DENIED_ERROR: ({ database }, reason) => {
    const account = /for user ('[^']*'@'[^']*')/.exec(reason)?.[1] ?? "'...'@'...'";
    return `Its user has no right to this database: ${grant([...SERVING, ...MIGRATING], `${quoted(database)}.*`, account)}`;
  },
  ER_ACCESS_DENIED_ERROR: ({ user }) =>
    `It runs, but rejects user ${user} with this password from this machine: check both in DATABASE_URL, where a % of ` +
    'the password is written %25, and at CREATE USER.',
  ER_BAD_DB_ERROR: ({ database }) =>
    `It has no such database: CREATE DATABASE ${quoted(database)}; or check the name in DATABASE_URL.`,
  ER_HOST_NOT_PRIVILEGED: ({ user }) =>
    `No user may come from this machine: CREATE USER '${user}'@'%' IDENTIFIED BY '...';`,
  'ER_CON_COUNT_ERROR|ER_TOO_MANY_USER_CONNECTIONS|ER_USER_LIMIT_REACHED': () =>
    'Raise max_connections of the server or the limit of its user, or lower DB_POOL_SIZE or WORKERS.',
  HANDSHAKE_NO_SSL_SUPPORT: () =>
    'It does not support TLS: configure a certificate (ssl_cert, ssl_key), or remove ?tls=verify from DATABASE_URL.',
  HANDSHAKE_SSL_ERROR: () =>
    'Its certificate is not trusted: add its authority to NODE_EXTRA_CA_CERTS, and use the host name of the certificate.',
  'ENOTFOUND|EAI_AGAIN': ({ hosts }) =>
    `No address is known of ${hosts.map(({ host }) => host).join(', ')}: look at DATABASE_URL and DNS.`,
  ECONNREFUSED: ({ hosts }) =>
    `Nothing listens at ${hosts.map(describeHost).join(', ')}: start it, or check DATABASE_URL and its bind_address.`,
  'READ_?ONLY|read.only': () =>
    'It accepts no writes, but migrations are missing: SET GLOBAL read_only = 0, or use the primary in DATABASE_URL.',
  'ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|DB_NO_ANSWER|DB_NO_CONNECTION': () =>
    'It does not answer: check whether it hangs, and whether a firewall blocks this machine.',
};

/** What to do if a database cannot be opened. `reason` contains the codes of the driver. */
export function connectionRemedy(database: DatabaseUrl, reason: string): string {
  if (database.engine === 'sqlite')
    return 'Check the file and its permissions, or set DATABASE_URL to another.';
  const [, remedy] = Object.entries(REMEDIES).find(([codes]) => new RegExp(codes, 'i').test(reason)) ?? [];
  return remedy?.(database, reason) ?? 'Check that it runs, and check DATABASE_URL.';
}
