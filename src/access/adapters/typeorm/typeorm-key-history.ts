import type { Int64 } from '../../../kernel/int64.js';
import type { Sequence } from '../../../kernel/sequence.js';
import type { Sql } from '../../../platform/database/sql.js';
import type { KeyAct, KeyEvent } from '../../domain/key-event.js';
import { KeyHistory } from '../../ports/key-history.js';

interface EventRow {
  readonly key_id: bigint | string | number;
  readonly act: KeyAct;
  readonly actor: string;
  readonly at: bigint | string | number;
}

/** Keeps what was done to keys in the table `api_key_events`. */
export class TypeOrmKeyHistory extends KeyHistory {
  constructor(
    private readonly sql: Sql,
    private readonly ids: Sequence,
  ) {
    super();
  }

  override async record({ keyId, act, actor, at }: KeyEvent): Promise<void> {
    await this.sql.change('INSERT INTO api_key_events (id, key_id, act, actor, at) VALUES (?, ?, ?, ?, ?)', [
      await this.ids.next(),
      keyId,
      act,
      actor,
      at,
    ]);
  }

  override async of(keyId: Int64): Promise<KeyEvent[]> {
    const rows = await this.sql.rows<EventRow>(
      'SELECT key_id, act, actor, at FROM api_key_events WHERE key_id = ? ORDER BY id',
      [keyId],
    );
    return rows.map(({ act, actor, at }) => ({ keyId, act, actor, at: Number(at) }));
  }
}
