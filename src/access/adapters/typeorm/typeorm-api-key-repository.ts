import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import { Batch } from '../../../platform/database/batch.js';
import { JoiningDataSource } from '../../../platform/database/data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../../../platform/database/errors.js';
import { ApiKey } from '../../domain/api-key.js';
import { KeyNotFound } from '../../domain/key-errors.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';

/** Guesses may come fast, so concurrent lookups share a statement, and few statements run at a time. */
const LOOKUPS = { name: 'keys', maxItems: 64, maxConcurrent: 4, spread: false } as const;
/** The maximum number of lookups that run or wait. It is reached only while the database does not answer. */
const MAX_LOOKUPS = 1_000;

/** Keeps keys in the table `api_keys`. */
@Injectable()
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  readonly #lookups = new Batch((hashes: string[]) => this.#findAll(hashes), LOOKUPS);
  #lookedFor = 0;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly source: JoiningDataSource,
  ) {
    super();
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
    return (await this.keys.findOneBy({ props: { id } })) ?? undefined;
  }

  override async findByHash(secretHash: string): Promise<ApiKey | undefined> {
    if (this.source.insideTransaction)
      return (await this.keys.findOneBy({ props: { secretHash } })) ?? undefined;
    if (this.#lookedFor >= MAX_LOOKUPS)
      throw new DatabaseUnavailable(new Error('too many keys are looked for'));
    this.#lookedFor += 1;
    return this.#lookups.add(secretHash).finally(() => (this.#lookedFor -= 1));
  }

  override list(): Promise<ApiKey[]> {
    return this.keys.find({ order: { props: { id: 'ASC' } } });
  }

  override async isEmpty(): Promise<boolean> {
    return !(await this.keys.exists());
  }

  /** Compare-and-set on the end of the key: if another change was faster, no row matches, and the key is read again. */
  override async change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey> {
    for (;;) {
      const key = await this.find(id);
      if (!key) throw new KeyNotFound(id);
      const changed = change(key);
      const { expiresAt = null, revokedAt = null, rotatedAt = null } = changed.props;
      const before = key.props;
      const { affected } = await this.keys.update(
        {
          props: {
            id,
            expiresAt: before.expiresAt ?? IsNull(),
            revokedAt: before.revokedAt ?? IsNull(),
            rotatedAt: before.rotatedAt ?? IsNull(),
          },
        },
        { props: { expiresAt, revokedAt, rotatedAt } as never },
      );
      if (affected === 1) return changed;
    }
  }

  override async recordUse(id: Int64, at: number, interval: number): Promise<void> {
    await this.keys
      .createQueryBuilder()
      .update()
      .set({ props: { lastUsedAt: at } })
      .where('id = :id AND COALESCE(last_used_at, 0) <= :before', { id, before: at - interval })
      .execute();
  }

  async #findAll(hashes: string[]): Promise<PromiseSettledResult<ApiKey | undefined>[]> {
    const found = await this.keys.findBy({ props: { secretHash: In(hashes) } });
    const byHash = new Map(found.map((key) => [key.props.secretHash, key]));
    return hashes.map((hash) => ({ status: 'fulfilled', value: byHash.get(hash) }));
  }
}
