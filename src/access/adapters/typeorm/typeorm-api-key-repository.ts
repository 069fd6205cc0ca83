import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, In, IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import type { Int64, Sequence } from '../../../kernel/index.js';
import { Settings } from '../../../platform/config/index.js';
import {
  Batch,
  changeRow,
  DatabaseUnavailable,
  DuplicateKey,
  Sequences,
} from '../../../platform/database/index.js';
import { ApiKey, type KeyEvent } from '../../domain/api-key.js';
import { KeyNotFound } from '../../domain/key-errors.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';
import { KeyEventSchema, type StoredKeyEvent } from './api-key.schema.js';

/** Concurrent lookups share one statement. */
const LOOKUPS = { name: 'keys', maxItems: 64, spread: false } as const;
/** The share of the requests in flight that may wait for lookups of unknown keys. */
const SHARE_OF_UNKNOWN = 0.75;
/** The properties that a change may write. The last use is not one of them, because it may be recorded meanwhile. */
const ENDS = ['expiresAt', 'revokedAt', 'rotatedAt'];

/** Keeps keys in the table `api_keys`, and their events in `api_key_events`. */
@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  readonly #known = new Batch(this.#findAll.bind(this), { ...LOOKUPS, maxConcurrent: 4 });
  /**
   * Anyone can invent keys. So lookups of unknown keys use one connection, and leave a part of the slots to requests with known
   * keys.
   */
  readonly #unknown = new Batch(this.#findAll.bind(this), { ...LOOKUPS, maxConcurrent: 1 });
  readonly #maxUnknown: number;
  #unknownCount = 0;
  readonly #eventIds: Sequence;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(KeyEventSchema) private readonly events: Repository<StoredKeyEvent>,
    { maxInFlight }: Settings,
    sequences: Sequences,
  ) {
    super();
    this.#eventIds = sequences.of('api_key_events');
    this.#maxUnknown = Math.ceil(maxInFlight * SHARE_OF_UNKNOWN);
  }

  override async add(key: ApiKey): Promise<boolean> {
    try {
      await this.keys.insert(key);
      return true;
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }

  override async find(id: Int64): Promise<ApiKey | undefined> {
    return (await this.keys.findOneBy({ id })) ?? undefined;
  }

  /** @throws DatabaseUnavailable if too many unknown keys are looked up, which happens only while the database is very slow */
  override async findByHash(secretHash: string, wasValid = false): Promise<ApiKey | undefined> {
    if (wasValid) return this.#known.add(secretHash);
    if (this.#unknownCount >= this.#maxUnknown)
      throw new DatabaseUnavailable(new Error('too many unknown keys are looked up'));
    this.#unknownCount += 1;
    return this.#unknown.add(secretHash).finally(() => (this.#unknownCount -= 1));
  }

  override list(): Promise<ApiKey[]> {
    return this.keys.find({ order: { id: 'ASC' } });
  }

  override countEnding(from: number, until: number): Promise<number> {
    const expiresAt = And(MoreThan(from), LessThan(until));
    return this.keys.countBy({ expiresAt, revokedAt: IsNull(), rotatedAt: IsNull() });
  }

  override async isEmpty(): Promise<boolean> {
    return !(await this.keys.exists());
  }

  override async change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey> {
    const changed = await changeRow(this.keys, { id }, change, ENDS);
    if (!changed) throw new KeyNotFound(id);
    return changed;
  }

  override async recordUse(id: Int64, at: number, interval: number): Promise<void> {
    await this.keys
      .createQueryBuilder()
      .update()
      .set({ lastUsedAt: at })
      .where('id = :id AND COALESCE(last_used_at, 0) <= :before', { id, before: at - interval })
      .execute();
  }

  override async record(event: KeyEvent): Promise<void> {
    await this.events.insert({ ...event, id: await this.#eventIds.next() });
  }

  override historyOf(id: Int64): Promise<KeyEvent[]> {
    const select = { keyId: true, act: true, actor: true, at: true } as const;
    return this.events.find({ select, where: { keyId: id }, order: { id: 'ASC' } });
  }

  async #findAll(hashes: string[]): Promise<(ApiKey | undefined)[]> {
    const found = await this.keys.findBy({ secretHash: In(hashes) });
    const byHash = new Map(found.map((key) => [key.secretHash, key]));
    return hashes.map((hash) => byHash.get(hash));
  }
}
