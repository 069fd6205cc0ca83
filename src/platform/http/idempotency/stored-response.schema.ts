import { EntitySchema } from 'typeorm';
import { columns } from '../../database/columns.js';

/** An answer that is kept for a client that sends a request again. */
export interface StoredResponseRow {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of the body in hex. */
  readonly bodyHash: string;
  /** As JSON. */
  readonly answer: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export const StoredResponseSchema = new EntitySchema<StoredResponseRow>({
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
