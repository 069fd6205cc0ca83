import { connect, type Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHost } from '../../config/database-url.js';
import { type ErrorClass, errorClassOf, NO_CONNECTION, NO_HOST, wordsOf } from '../error-table.js';
import type { PoolUsage } from '../database-channels.js';
import { backOff } from '../units/retries.js';
import { prepareSession } from './session.js';

/** How long a caller waits for a connection. */
const CONNECTION_TIMEOUT_MS = 2_000;
/** How long a failed host is not used: first, and at most. */
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** The maximum while no other host is healthy. */
const MAX_BACKOFF_ALL_FAILED_MS = 500;

/** Errors of the host itself, after which other hosts should be tried first. */
const HOST_FAULTS: readonly (ErrorClass | undefined)[] = ['unreached', 'refused', 'read_only', 'lost'];

interface Host {
  readonly pool: Pool;
  failures: number;
  failedAt: number;
  /** Why it failed, for the log. */
  reason: string;
}

/**
 * mysql2 closes only its own side of a socket. Without TLS, MySQL then responds that the connection is closed, and mysql2 takes that for the
 * response to the next statement. So the other side is closed, too.
 */
function openSocket(host: string, port: number): Socket {
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  return socket.on('finish', () => socket.destroy());
}

type Callback = (error: NodeJS.ErrnoException | null, connection?: PoolConnection) => void;

/**
 * One pool for several servers that hold the same data. TypeORM uses it like a single pool (its option `driver: { createPool }`).
 * Connections come from the first healthy server. A server that fails is not used for a time that grows with each failure. When it has
 * recovered, it is used first again.
 */
export class HostPools {
  readonly #hosts: Host[];
  readonly #hostOf = new WeakMap<PoolConnection, Host>();
  readonly #open = new Set<PoolConnection>();
  readonly #used = new Set<PoolConnection>();
  #waiting = 0;

  constructor(options: PoolOptions, hosts: readonly DatabaseHost[]) {
    this.#hosts = hosts.map(({ host, port }) => {
      const pool = createPool({ ...options, host, port, stream: () => openSocket(host, port) });
      const entry: Host = { pool, failures: 0, failedAt: 0, reason: '' };
      pool.on('connection', (connection) => this.#opened(entry, connection));
      pool.on('acquire', (connection) => this.#used.add(connection));
      pool.on('release', (connection) => this.#used.delete(connection));
      return entry;
    });
  }

  getConnection(callback: Callback): void {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      callback(noConnection());
    }, CONNECTION_TIMEOUT_MS);
    this.#waiting += 1;
    this.#try(this.#candidates(), (error, connection) => {
      this.#waiting -= 1;
      clearTimeout(timer);
      if (late) connection?.release();
      // Only the error of a full queue has no code.
      else if (error && !error.code) callback(noConnection());
      else callback(error, connection);
    });
  }

  /** The state of the connections to all hosts. */
  usage(): PoolUsage {
    const used = this.#used.size;
    return { used, free: this.#open.size - used, waiting: this.#waiting };
  }

  /** To be called when the host of a connection has answered a statement, which shows that it is healthy. */
  worked(connection: PoolConnection): void {
    const host = this.#hostOf.get(connection);
    if (host) host.failures = 0;
  }

  /** To be called when a statement has failed. @returns whether its connection must be closed */
  failed(connection: PoolConnection, error: unknown): boolean {
    // Privileges are fixed when a session begins, so only a new session has new grants.
    const errorClass = errorClassOf(error);
    if (!HOST_FAULTS.includes(errorClass)) return errorClass === 'denied';
    const host = this.#hostOf.get(connection);
    if (host && this.#mayHelpElsewhere(host, errorClass)) this.#note(host, error);
    return true;
  }

  /** Closes a connection whose state is unknown, or whose session others must not get. */
  close(connection: PoolConnection): void {
    this.#forget(connection);
    connection.destroy();
  }

  end(callback: (error?: NodeJS.ErrnoException) => void): void {
    let open = this.#hosts.length;
    for (const { pool } of this.#hosts) pool.end(() => (open -= 1) === 0 && callback());
  }

  #try(hosts: Host[], callback: Callback, failure?: NodeJS.ErrnoException): void {
    const [host, ...others] = hosts;
    if (!host) {
      const reasons = this.#hosts.map(({ reason }) => reason).join(', ');
      callback(failure ?? Object.assign(new Error(reasons), { code: NO_HOST }));
      return;
    }
    // Only one request at a time probes a host that has failed.
    if (host.failures > 0) host.failedAt = performance.now();
    host.pool.getConnection((error, connection) => {
      if (error) {
        // A server that rejects a login counts as failed, whatever the number of the error.
        if ('sqlState' in error) Object.assign(error, { fatal: true });
        // An error without a class is not about the host. The pool is full or closed.
        if (!errorClassOf(error)) return callback(error);
        this.#note(host, error);
        return this.#try(others, callback, error);
      }
      callback(null, connection);
    });
  }

  /**
   * After a lost connection the next connection to the same host may work, so a host without an alternative is kept. A host that rejects
   * changes can still be read, so it is kept unless another healthy host exists.
   */
  #mayHelpElsewhere(host: Host, errorClass?: ErrorClass): boolean {
    const others = this.#hosts.filter((other) => other !== host);
    switch (errorClass) {
      case 'lost':
        return others.length > 0;
      case 'read_only':
        return others.some(({ failures }) => failures === 0);
      default:
        return true;
    }
  }

  #opened(host: Host, connection: PoolConnection): void {
    this.#hostOf.set(connection, host);
    this.#open.add(connection);
    const forget = () => this.#forget(connection);
    connection.on('end', forget).on('error', forget);
    prepareSession(connection, (error) => {
      this.failed(connection, error);
      this.close(connection);
    });
  }

  #forget(connection: PoolConnection): void {
    this.#open.delete(connection);
    this.#used.delete(connection);
  }

  /** The hosts to try now, in order. */
  #candidates(): Host[] {
    const healthy = this.#hosts.some(({ failures }) => failures === 0);
    const max = healthy ? MAX_BACKOFF_MS : MAX_BACKOFF_ALL_FAILED_MS;
    return this.#hosts.filter(({ failures, failedAt }) => {
      const backoff = backOff(failures, { min: MIN_BACKOFF_MS, max });
      return failures === 0 || performance.now() - failedAt >= backoff;
    });
  }

  #note(host: Host, error: unknown): void {
    host.reason = wordsOf(error);
    host.failures += 1;
    host.failedAt = performance.now();
  }
}

const noConnection = () => Object.assign(new Error(NO_CONNECTION), { code: NO_CONNECTION });
