import { describe, expect, it } from 'vitest';
import type { FindOperator, FindOptionsWhere, Repository } from 'typeorm';
import { TypeOrmApiKeyRepository } from '../../../src/access/adapters/typeorm/typeorm-api-key-repository.js';
import type { StoredKeyEvent } from '../../../src/access/adapters/typeorm/api-key.schema.js';
import { ApiKey } from '../../../src/access/domain/api-key.js';
import type { Settings } from '../../../src/platform/config/settings.js';
import {
  DatabaseUnavailable,
  type JoiningDataSource,
  Sequences,
} from '../../../src/platform/database/index.js';
import { loaded } from '../../support/loaded.js';
import { eventually } from '../../support/eventually.js';

const KNOWN = loaded(ApiKey, { id: 1n, name: 'shop window', secretHash: 'known', createdAt: 1_000 });

/** A database that responds at once only to a statement for the known key alone, and to the others when `answer` is called. */
class HeldDatabase {
  readonly #held: (() => void)[] = [];
  statements = 0;

  async findBy({ secretHash }: FindOptionsWhere<ApiKey>): Promise<ApiKey[]> {
    const hashes = (secretHash as FindOperator<string>).value as unknown as string[];
    this.statements += 1;
    if (hashes.some((hash) => hash !== 'known')) await new Promise<void>((answer) => this.#held.push(answer));
    return hashes.includes('known') ? [KNOWN] : [];
  }

  answer(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  /** The storage of keys in a service with this limit of requests in flight. */
  keys(maxInFlight: number): TypeOrmApiKeyRepository {
    const settings = { maxInFlight } as Settings;
    const keys = this as unknown as Repository<ApiKey>;
    // These tests record no events of keys.
    const events = {} as Repository<StoredKeyEvent>;
    return new TypeOrmApiKeyRepository(keys, events, settings, new Sequences({} as JoiningDataSource));
  }
}

describe('unknown keys', () => {
  it('are looked up in one statement at a time, and a known key does not wait for them', async () => {
    const database = new HeldDatabase();
    const keys = database.keys(256);
    const unknown = Array.from({ length: 192 }, (_, i) => keys.findByHash(`unknown ${i}`));
    await eventually(() => Promise.resolve(database.statements === 1));
    expect(await keys.findByHash('known', true)).toBe(KNOWN);
    expect(database.statements).toBe(2);
    // 192 keys take three statements.
    for (let statement = 2; statement <= 4; statement++) {
      await eventually(() => Promise.resolve(database.statements === statement));
      database.answer();
    }
    expect(new Set(await Promise.all(unknown))).toEqual(new Set([undefined]));
  });

  it('may use three quarters of the slots, and further unknown keys are rejected at once', async () => {
    const database = new HeldDatabase();
    const keys = database.keys(8);
    const unknown = Array.from({ length: 6 }, (_, i) => keys.findByHash(`unknown ${i}`));
    await expect(keys.findByHash('unknown 6')).rejects.toThrow(DatabaseUnavailable);
    expect(await keys.findByHash('known', true)).toBe(KNOWN);
    await eventually(() => Promise.resolve(database.statements > 1));
    database.answer();
    await Promise.all(unknown);
    const again = keys.findByHash('unknown 6');
    await eventually(() => Promise.resolve(database.statements === 3));
    database.answer();
    expect(await again).toBeUndefined();
  });
});
