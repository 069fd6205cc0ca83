import type { Int64 } from '../../../kernel/int64.js';
import { DuplicateKey } from '../../../platform/database/database-errors.js';
import type { SqlValue } from '../../../platform/database/session.js';
import type { Sql } from '../../../platform/database/sql.js';
import type { ApiKey } from '../../domain/api-key.js';
import { KeyNotFound } from '../../domain/key-errors.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';
import { API_KEY_COLUMNS, apiKeyFrom, type ApiKeyRow, endOf, valuesOf } from './api-key.row.js';

/** Keeps keys in the table `api_keys`. */
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async add(key: ApiKey): Promise<boolean> {
    const values = valuesOf(key);
    const places = values.map(() => '?').join(', ');
    try {
      await this.sql.change(`INSERT INTO api_keys (${API_KEY_COLUMNS}) VALUES (${places})`, values);
      return true;
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }

  override find(id: Int64): Promise<ApiKey | undefined> {
    return this.#findBy('id', id);
  }

  override findByHash(secretHash: string): Promise<ApiKey | undefined> {
    return this.#findBy('secret_hash', secretHash);
  }

  override async list(): Promise<ApiKey[]> {
    return (await this.sql.rows<ApiKeyRow>(`SELECT ${API_KEY_COLUMNS} FROM api_keys ORDER BY id`)).map(
      apiKeyFrom,
    );
  }

  override async isEmpty(): Promise<boolean> {
    return (await this.sql.rows('SELECT id FROM api_keys LIMIT 1')).length === 0;
  }

  /** Compare and set on when the key ends: a rival who was faster leaves no row to update, and the key is read again. */
  override async change(id: Int64, change: (key: ApiKey) => ApiKey): Promise<ApiKey> {
    for (;;) {
      const key = await this.find(id);
      if (!key) throw new KeyNotFound(id);
      const changed = change(key);
      const moved = await this.sql.change(
        `UPDATE api_keys SET expires_at = ?, revoked_at = ?, rotated_at = ? WHERE id = ?
         AND COALESCE(expires_at, -1) = ? AND COALESCE(revoked_at, -1) = ? AND COALESCE(rotated_at, -1) = ?`,
        [...endOf(changed.facts), id, ...endOf(key.facts).map((end) => end ?? -1)],
      );
      if (moved === 1) return changed;
    }
  }

  override async noteUse(id: Int64, at: number, interval: number): Promise<void> {
    await this.sql.change(
      'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND COALESCE(last_used_at, 0) <= ?',
      [at, id, at - interval],
    );
  }

  async #findBy(column: 'id' | 'secret_hash', value: SqlValue): Promise<ApiKey | undefined> {
    const [row] = await this.sql.rows<ApiKeyRow>(
      `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE ${column} = ?`,
      [value],
    );
    return row && apiKeyFrom(row);
  }
}
