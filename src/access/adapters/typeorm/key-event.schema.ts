import { EntitySchema } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import { columns } from '../../../platform/database/columns.js';
import type { KeyEvent } from '../../domain/api-key.js';

/** An event of a key. Its id gives its place in the order of all events. */
export type StoredKeyEvent = KeyEvent & { readonly id: Int64 };

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
