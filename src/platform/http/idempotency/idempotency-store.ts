import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntitySchema, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { columns } from '../../database/columns.js';
import { DuplicateKey } from '../../database/errors.js';
import { OldRows } from '../../database/leases/purge.js';
import { deleteInBatches } from '../../database/queries/delete-in-batches.js';
import { Metrics } from '../../observability/metrics/metrics.js';
import type { StoredHeaders } from './headers-of-work.js';

const RETENTION_MS = 24 * 3_600_000;

/** Under what a request is stored. The same key of another client, or for another operation, is another key. */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the body in hex. */
  readonly bodyHash: string;
}

/** What identifies a request besides its operation, its key and its body. */
export interface Target {
  readonly method: string;
  /** The path as it was sent, with the values of its parameters. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/**
 * A response as it was sent, and the target of its request. Version 2.0 stores no target and does not read it: replicas of both share
 * the table during a rolling upgrade.
 */
export interface StoredResponse extends Partial<Target> {
  readonly status: number;
  readonly headers: StoredHeaders;
  readonly body: string;
}

interface StoredRow extends IdempotentRequest {
  /** A `StoredResponse` as JSON. */
  readonly answer: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export const StoredResponseSchema = new EntitySchema<StoredRow>({
  name: 'StoredResponse',
  tableName: 'stored_answers',
  withoutRowid: true,
  columns: {
    caller: columns.word(64, { primary: true }),
    operation: columns.word(128, { primary: true }),
    key: columns.word(255, { name: 'idempotency_key', primary: true }),
    bodyHash: columns.word(64, { name: 'body_hash', type: 'char' }),
    answer: { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' },
    expiresAt: columns.number({ name: 'expires_at' }),
  },
  indices: [{ name: 'stored_answers_by_expiry', columns: ['expiresAt'] }],
});

/** Another replica has completed the same request. */
export class AlreadyCompleted extends Error {}

/** Stores the responses to requests with an `Idempotency-Key`, for 24 hours. */
@Injectable()
export class IdempotencyStore extends OldRows {
  constructor(
    @InjectRepository(StoredResponseSchema) private readonly rows: Repository<StoredRow>,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    metrics.queriedGauge(
      'petstore_purge_lag_seconds',
      'How long the oldest stored answer is past its retention.',
      async (gauge) => gauge.set((await this.#purgeLag()) / 1_000),
    );
  }

  /** The stored response to a request with this key, and the hash of its body; undefined if the key is new. */
  async find(
    request: IdempotentRequest,
  ): Promise<{ bodyHash: string; response: StoredResponse } | undefined> {
    const { caller, operation, key } = request;
    const expiresAt = MoreThan(this.clock.now());
    const row = await this.rows.findOneBy({ caller, operation, key, expiresAt });
    return row ? { bodyHash: row.bodyHash, response: JSON.parse(row.answer) as StoredResponse } : undefined;
  }

  /** Stores a response in the unit of work of its effect. @throws AlreadyCompleted */
  async add(request: IdempotentRequest, response: StoredResponse): Promise<void> {
    try {
      await this.#insert(request, response);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      if (!(await this.#deleteExpired(request))) throw new AlreadyCompleted();
      await this.#insert(request, response);
    }
  }

  override purge(): Promise<number> {
    return deleteInBatches(this.rows, { expiresAt: LessThanOrEqual(this.clock.now()) });
  }

  /** How long the oldest response has been expired, in ms. */
  async #purgeLag(): Promise<number> {
    const now = this.clock.now();
    const oldest = await this.rows.minimum('expiresAt');
    return Math.max(0, now - Number(oldest ?? now));
  }

  async #insert(request: IdempotentRequest, response: StoredResponse): Promise<void> {
    const expiresAt = this.clock.now() + RETENTION_MS;
    await this.rows.insert({ ...request, answer: JSON.stringify(response), expiresAt });
  }

  /** @returns whether an expired response to this request existed */
  async #deleteExpired({ caller, operation, key }: IdempotentRequest): Promise<boolean> {
    const expiresAt = LessThanOrEqual(this.clock.now());
    const { affected } = await this.rows.delete({ caller, operation, key, expiresAt });
    return affected === 1;
  }
}
