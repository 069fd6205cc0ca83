import { DuplicateKey } from '../../../platform/database/database-errors.js';
import type { Sql } from '../../../platform/database/sql.js';
import type { ApiKey } from '../../domain/api-key.js';
import { ApiKeyRepository } from '../../ports/api-key-repository.js';
import { API_KEY_COLUMNS, apiKeyFrom, type ApiKeyRow, valuesOf } from './api-key.row.js';

/** Keeps keys in the table `api_keys`. */
export class TypeOrmApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async add(key: ApiKey): Promise<boolean> {
    try {
      await this.sql.change(
        `INSERT INTO api_keys (${API_KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,
        valuesOf(key),
      );
      return true;
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }

  override async findByHash(secretHash: string): Promise<ApiKey | undefined> {
    const [row] = await this.sql.rows<ApiKeyRow>(
      `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE secret_hash = ?`,
      [secretHash],
    );
    return row && apiKeyFrom(row);
  }

  override async isEmpty(): Promise<boolean> {
    return (await this.sql.rows('SELECT id FROM api_keys LIMIT 1')).length === 0;
  }
}
