import { EntitySchema, type ValueTransformer } from 'typeorm';
import type { Facts } from '../../kernel/events.js';
import { columns } from '../database/columns.js';
import { parseJson } from '../json/parse-json.js';
import { writeJson } from '../json/write-json.js';
import type { Notice } from './outbox-rows.js';

/** A notice as it waits in the table `outbox`. Times are milliseconds since 1970. */
export interface StoredNotice extends Notice {
  /** Puts those of one subscriber and thing in order. */
  readonly position: number;
  readonly recordedAt: number;
  readonly nextTryAt: number;
  readonly problem?: string;
}

const facts: ValueTransformer = {
  to: (told: Facts) => writeJson(told),
  from: (text: string) => factsFrom(text),
};

export const OutboxSchema = new EntitySchema<StoredNotice>({
  name: 'Outbox',
  tableName: 'outbox',
  columns: {
    id: columns.int64({ primary: true }),
    subscriber: columns.word(64),
    thing: columns.word(96),
    position: columns.number(),
    kind: columns.word(64),
    facts: { type: 'text', charset: 'utf8mb4', collation: 'utf8mb4_bin', transformer: facts },
    recordedAt: columns.number({ name: 'recorded_at' }),
    nextTryAt: columns.number({ name: 'next_try_at' }),
    failures: { type: 'int' },
    problem: columns.text(500, { nullable: true }),
  },
  indices: [
    { name: 'outbox_in_order', columns: ['subscriber', 'thing', 'position'], unique: true },
    { name: 'outbox_by_time', columns: ['nextTryAt'] },
  ],
});

/** Every integer of the facts is a bigint again, as it was when they were told. */
function factsFrom(text: string): Facts {
  const stored = parseJson(Buffer.from(text)) as Record<string, string | number | bigint>;
  const entries = Object.entries(stored).map(([name, value]) => [
    name,
    typeof value === 'number' ? BigInt(value) : value,
  ]);
  return Object.fromEntries(entries) as Facts;
}
