import { EntitySchema, type ValueTransformer } from 'typeorm';
import { formatRate, type Int64, parseRate, type Rate } from '../../../kernel/index.js';
import { columns } from '../../../platform/database/index.js';
import { ApiKey, type KeyEvent, type Scope } from '../../domain/api-key.js';

/** Scopes are separated by spaces, as in RFC 6750. */
const SCOPES_AS_TEXT: ValueTransformer = {
  from: (text: string | null) => text?.split(' '),
  to: (scopes: readonly Scope[] | null | undefined) => scopes?.join(' ') ?? null,
};
const RATE_AS_TEXT: ValueTransformer = {
  from: (text: string | null) => (text === null ? undefined : parseRate(text)),
  to: (rate: Rate | null | undefined) => (rate ? formatRate(rate) : null),
};

/** Maps keys to the table `api_keys`. */
export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: columns.int64({ primary: true }),
    name: columns.text(255),
    secretHash: columns.word(64, { name: 'secret_hash', type: 'char' }),
    scopes: columns.word(1000, { nullable: true, transformer: SCOPES_AS_TEXT }),
    rate: columns.word(16, { nullable: true, transformer: RATE_AS_TEXT }),
    createdAt: columns.number({ name: 'created_at' }),
    expiresAt: columns.number({ name: 'expires_at', nullable: true }),
    revokedAt: columns.number({ name: 'revoked_at', nullable: true }),
    rotatedAt: columns.number({ name: 'rotated_at', nullable: true }),
    lastUsedAt: columns.number({ name: 'last_used_at', nullable: true }),
  },
  uniques: [{ name: 'secret_hash', columns: ['secretHash'] }],
});

/** An event as it is stored. The ids give the order of all events. */
export type StoredKeyEvent = KeyEvent & { readonly id: Int64 };

/** Maps events of keys to the table `api_key_events`. */
export const KeyEventSchema = new EntitySchema<StoredKeyEvent>({
  name: 'KeyEvent',
  tableName: 'api_key_events',
  columns: {
    id: columns.int64({ primary: true }),
    keyId: columns.int64({ name: 'key_id' }),
    act: columns.word(16),
    actor: columns.text(255),
    at: columns.number(),
  },
  indices: [{ name: 'api_key_events_by_key', columns: ['keyId', 'id'] }],
});
