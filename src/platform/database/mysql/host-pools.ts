import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHost } from '../../config/database-url.js';
import { type ErrorClass, errorClassOf, NO_CONNECTION, NO_HOST, wordsOf } from '../error-table.js';
import type { PoolUsage } from '../database-channels.js';
import { backOff } from '../retries.js';
import { PooledConnection } from './pooled-connection.js';
import { prepareSession } from './session.js';

/** How long a caller waits for a connection. */
const CONNECTION_TIMEOUT_MS = 2_000;
/** How long a failed host is left alone: at first, and at most. */
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** The maximum while no other host is healthy. */
const MAX_BACKOFF_ALL_FAILED_MS = 500;

/** Errors for which the host is to blame, so that other hosts should be tried first. */
const HOST_FAULTS: readonly (ErrorClass | undefined)[] = ['unreached', 'refused', 'read_only', 'lost'];

interface Host {
  readonly pool: Pool;
  failures: number;
  failedAt: number;
  /** For the log. */
  reason: string;
}

type Callback = (error: NodeJS.ErrnoException | null, connection?: PooledConnection) => void;

/**
 * One pool for several servers that hold the same data, which TypeORM uses like a single pool (its option `driver: { createPool
 * }`). Connections come from the first healthy server. A server that fails is left alone for a time that grows with each
 * failure; when it has recovered it is used first again.
 */
export class HostPools {
  readonly #hosts: Host[];
  readonly #open = new Set<PoolConnection>();
  #used = 0;
  #waiting = 0;
  #enqueued = 0;

  constructor(
    options: PoolOptions,
    hosts: readonly DatabaseHost[],
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#hosts = hosts.map(({ host, port }) => {
      const pool = createPool({ ...options, host, port });
      const entry: Host = { pool, failures: 0, failedAt: 0, reason: '' };
      pool.on('connection', (connection) => this.#opened(entry, connection));
      pool.on('enqueue', () => (this.#enqueued += 1));
      return entry;
    });
  }

  getConnection(callback: Callback): void {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      callback(noConnection());
    }, CONNECTION_TIMEOUT_MS);
    this.#try(this.#candidates(), (error, connection) => {
      clearTimeout(timer);
      if (late) connection?.release();
      // Only the error of a full queue has no code.
      else if (error && !error.code) callback(noConnection());
      else callback(error, connection);
    });
  }

  /** Runs one statement on any free connection. @returns rows, or mysql2's result of a change */
  query(statement: string, values: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.getConnection((error, connection) => {
        if (!connection) return reject(error!);
        const end = (settle: (outcome: unknown) => void) => (outcome: unknown) => {
          connection.release();
          settle(outcome);
        };
        connection.run(statement, values).then(end(resolve), end(reject));
      });
    });
  }

  /** The state of the connections to all hosts. */
  usage(): PoolUsage {
    return { used: this.#used, free: Math.max(0, this.#open.size - this.#used), waiting: this.#waiting };
  }

  /** TypeORM logs errors of idle connections; such an error is met and reported when the connection is used next. */
  on(): this {
    return this;
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
    if (host.failures > 0) host.failedAt = this.now();
    const enqueuedBefore = this.#enqueued;
    let wait = 0;
    host.pool.getConnection((error, connection) => {
      this.#waiting -= wait;
      if (error) {
        // A server that lets nobody in is to blame, whatever its number.
        if ('sqlState' in error) Object.assign(error, { fatal: true });
        // Errors without a class are about the pool, which is full or closed, and not about the host.
        if (!errorClassOf(error)) return callback(error);
        this.#note(host, error);
        return this.#try(others, callback, error);
      }
      callback(null, this.#lend(host, connection));
    });
    // mysql2 emits `enqueue` synchronously.
    wait = this.#enqueued - enqueuedBefore;
    this.#waiting += wait;
  }

  #lend(host: Host, connection: PoolConnection): PooledConnection {
    this.#used += 1;
    return new PooledConnection(connection, {
      // The host answered a statement, so it is healthy.
      worked: () => (host.failures = 0),
      failed: (error) => this.#failed(host, error),
      gone: () => (this.#used -= 1),
    });
  }

  #failed(host: Host, error: unknown): boolean {
    // Privileges are fixed when a session begins: only a new session has new grants.
    const errorClass = errorClassOf(error);
    if (!HOST_FAULTS.includes(errorClass)) return errorClass === 'denied';
    if (this.#mayHelpElsewhere(host, errorClass)) this.#note(host, error);
    return true;
  }

  /**
   * A lost connection says little about a host without an alternative: the next connection may work. A host that takes no
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
    this.#open.add(connection);
    const closed = () => void this.#open.delete(connection);
    connection.on('end', closed).on('error', closed);
    prepareSession(connection, (error) => this.#failed(host, error));
  }

  /** The hosts to try now, in order. */
  #candidates(): Host[] {
    const healthy = this.#hosts.some(({ failures }) => failures === 0);
    const max = healthy ? MAX_BACKOFF_MS : MAX_BACKOFF_ALL_FAILED_MS;
    return this.#hosts.filter(({ failures, failedAt }) => {
      const backoff = backOff(failures, { min: MIN_BACKOFF_MS, max });
      return failures === 0 || this.now() - failedAt >= backoff;
    });
  }

  #note(host: Host, error: unknown): void {
    host.reason = wordsOf(error);
    host.failures += 1;
    host.failedAt = this.now();
  }
}

const noConnection = () => Object.assign(new Error(NO_CONNECTION), { code: NO_CONNECTION });
