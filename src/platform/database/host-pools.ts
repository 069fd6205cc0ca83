import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { outageOf, speaksAgainstHost } from './outage.js';
import type { PoolUsage } from './session.js';
import { prepareSession } from './session-settings.js';

/** How long, in ms, a host that failed is left alone: at first, and at most. */
const FIRST_REST = 200;
const LONGEST_REST = 5_000;
/** The same when no other host is healthy either. */
const LONGEST_REST_OF_ALL = 500;

/** What mysql2's pools know of themselves, and tell nobody. */
type Open = Record<'_allConnections' | '_freeConnections' | '_connectionQueue', { readonly length: number }>;

interface Host {
  readonly pool: Pool;
  failures: number;
  failedAt: number;
}

type Callback = (error: NodeJS.ErrnoException | null, connection?: PoolConnection) => void;

/**
 * A pool for each of several servers that hold the same data, which looks to TypeORM like one: connections come from the
 * first server that is healthy. One that fails is left alone for a while, which grows from failure to failure, and is asked
 * first again when it is back.
 */
export class HostPools {
  readonly #hosts: Host[];
  readonly #hostOf = new WeakMap<PoolConnection, Host>();

  constructor(
    options: PoolOptions,
    hosts: readonly DatabaseHost[],
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#hosts = hosts.map(({ host, port }) => {
      const pool = createPool({ ...options, host, port });
      pool.on('connection', prepareSession);
      return { pool, failures: 0, failedAt: 0 };
    });
  }

  getConnection(callback: Callback): void {
    this.#try(this.#candidates(), callback);
  }

  /** A statement was answered on this connection: its host is healthy. */
  worked(connection: PoolConnection): void {
    const host = this.#hostOf.get(connection);
    if (host) host.failures = 0;
  }

  /** A statement failed on this connection. @returns whether the connection is no good any more */
  failed(connection: PoolConnection, error: unknown): boolean {
    if (!speaksAgainstHost(error)) return false;
    // A connection that was lost says little about a host to which there is no other: the next one may well do.
    const isAlone = this.#hosts.length === 1 && outageOf(error) === 'lost';
    const host = this.#hostOf.get(connection);
    if (host && !isAlone) this.#note(host);
    return true;
  }

  /** How the connections to all hosts stand. */
  usage(): PoolUsage {
    const sum = (count: (pool: Open) => number) =>
      this.#hosts.reduce((total, { pool }) => total + count(pool as unknown as Open), 0);
    return {
      used: sum(({ _allConnections, _freeConnections }) => _allConnections.length - _freeConnections.length),
      free: sum(({ _freeConnections }) => _freeConnections.length),
      waiting: sum(({ _connectionQueue }) => _connectionQueue.length),
    };
  }

  /** TypeORM logs what is wrong with idle connections; a failure is met, and told, by whoever uses them next. */
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
      callback(failure ?? Object.assign(new Error('Every host has just failed.'), { code: 'ECONNREFUSED' }));
      return;
    }
    // As long as nobody knows how it goes, only one asks a host that has failed.
    if (host.failures > 0) host.failedAt = this.now();
    host.pool.getConnection((error, connection) => {
      if (error) {
        if (!speaksAgainstHost(error)) return callback(error);
        this.#note(host);
        return this.#try(others, callback, error);
      }
      this.#hostOf.set(connection, host);
      callback(null, connection);
    });
  }

  /** The hosts to ask now, in order. */
  #candidates(): Host[] {
    const healthy = this.#hosts.some(({ failures }) => failures === 0);
    const longest = healthy ? LONGEST_REST : LONGEST_REST_OF_ALL;
    return this.#hosts.filter(({ failures, failedAt }) => {
      const rest = Math.min(FIRST_REST * 2 ** (failures - 1), longest);
      return failures === 0 || this.now() - failedAt >= rest;
    });
  }

  #note(host: Host): void {
    host.failures += 1;
    host.failedAt = this.now();
  }
}
