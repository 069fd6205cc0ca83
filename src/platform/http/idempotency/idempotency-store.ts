import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { DuplicateKey } from '../../database/database-errors.js';
import { StoredResponseSchema, type StoredResponseRow } from './stored-response.schema.js';

const KEPT_FOR = 24 * 3_600_000;

/** Which request is meant: a client's key is its own, and is another one for another operation. */
export interface IdempotentRequest {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the body in hex. */
  readonly bodyHash: string;
}

/** An answer as it went out. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Another replica has answered the same request in the meantime. */
export class AlreadyCompleted extends Error {}

/** Keeps the answers of requests that carry an `Idempotency-Key`, for 24 hours. */
@Injectable()
export class IdempotencyStore {
  constructor(
    @InjectRepository(StoredResponseSchema) private readonly rows: Repository<StoredResponseRow>,
    private readonly clock: Clock,
  ) {}

  /** What was answered to an request with this key, and to which body; undefined if it is new. */
  async find(request: IdempotentRequest): Promise<{ bodyHash: string; answer: StoredResponse } | undefined> {
    const { caller, operation, key } = request;
    const row = await this.rows.findOneBy({
      caller,
      operation,
      key,
      expiresAt: MoreThan(this.clock.now()),
    });
    return row ? { bodyHash: row.bodyHash, answer: JSON.parse(row.answer) as StoredResponse } : undefined;
  }

  /** Keeps an answer, in the unit of work that its effect belongs to. @throws AlreadyCompleted */
  async keep(request: IdempotentRequest, answer: StoredResponse): Promise<void> {
    try {
      await this.#insert(request, answer);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      if (!(await this.#forgetExpired(request))) throw new AlreadyCompleted();
      await this.#insert(request, answer);
    }
  }

  /** Forgets what is too old. @returns how many answers that were */
  async purge(): Promise<number> {
    return (await this.rows.delete({ expiresAt: LessThanOrEqual(this.clock.now()) })).affected ?? 0;
  }

  async #insert(request: IdempotentRequest, answer: StoredResponse): Promise<void> {
    const expiresAt = this.clock.now() + KEPT_FOR;
    await this.rows.insert({ ...request, answer: JSON.stringify(answer), expiresAt });
  }

  /** @returns whether an answer to this request was there that is too old to count */
  async #forgetExpired({ caller, operation, key }: IdempotentRequest): Promise<boolean> {
    const expiresAt = LessThanOrEqual(this.clock.now());
    const { affected } = await this.rows.delete({ caller, operation, key, expiresAt });
    return affected === 1;
  }
}
