import { EntitySchema } from 'typeorm';
import type { EventPayload } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import { columns } from '../database/columns.js';
import { parseWritten, writeJson } from '../json/write-json.js';

/** An event that waits in the table `outbox` for delivery to one subscriber. Times are milliseconds since 1970. */
export interface OutboxMessage {
  readonly id: Int64;
  readonly subscriber: string;
  /** The name of its `EventType`. */
  readonly type: string;
  /** The aggregate, such as `pet/42`. A subscriber gets the messages of one aggregate one after another. */
  readonly aggregate: string;
  readonly payload: EventPayload;
  /** The order among the messages of one subscriber and aggregate. */
  readonly position: number;
  readonly recordedAt: number;
  /** While an outbound subscriber delivers the message, this is the end of the claim. */
  readonly nextTryAt: number;
  /** The number of failed deliveries, and the last error. An outbound delivery counts from its beginning, because it may be interrupted. */
  readonly failures: number;
  readonly problem?: string | null;
  /** When the last try of an outbound subscriber failed. Such a message is not delivered, and later messages do not wait for it. */
  readonly setAsideAt?: number | null;
}

export type NewMessage = Pick<OutboxMessage, 'id' | 'subscriber' | 'type' | 'aggregate' | 'payload'>;

/** The unique key of subscriber, aggregate and position. */
export const IN_ORDER = 'outbox_in_order';

export const OutboxSchema = new EntitySchema<OutboxMessage>({
  name: 'Outbox',
  tableName: 'outbox',
  // Three columns are called as in earlier versions: `thing`, `kind` and `facts`.
  columns: {
    id: columns.int64({ primary: true }),
    subscriber: columns.word(64),
    aggregate: columns.word(96, { name: 'thing' }),
    position: columns.number(),
    type: columns.word(64, { name: 'kind' }),
    payload: {
      name: 'facts',
      type: 'text',
      charset: 'utf8mb4',
      collation: 'utf8mb4_bin',
      transformer: { to: writePayload, from: parsePayload },
    },
    recordedAt: columns.number({ name: 'recorded_at' }),
    nextTryAt: columns.number({ name: 'next_try_at' }),
    failures: { type: 'int' },
    problem: columns.text(500, { nullable: true }),
    setAsideAt: columns.number({ name: 'set_aside_at', nullable: true }),
  },
  indices: [
    { name: IN_ORDER, columns: ['subscriber', 'aggregate', 'position'], unique: true },
    { name: 'outbox_heads', columns: ['subscriber', 'aggregate', 'setAsideAt', 'position'] },
    { name: 'outbox_by_time', columns: ['nextTryAt'] },
  ],
});

/**
 * Formats a payload as JSON. A bare integer in it is an int64, so numbers and instants are written as objects. Absent fields are
 * left out.
 */
export function writePayload(payload: EventPayload): string {
  const entries = Object.entries(payload).map(([name, value]) => [name, storedValueOf(name, value)]);
  return writeJson(Object.fromEntries(entries));
}

type StoredValue =
  | string
  | readonly string[]
  | number
  | bigint
  | boolean
  | null
  | { readonly instant: number }
  | { readonly number: number };

function storedValueOf(name: string, value: EventPayload[string]): StoredValue | undefined {
  if (value instanceof Date) return { instant: value.getTime() };
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) throw new Error(`An event cannot have ${value} as its ${name}.`);
  return { number: value };
}

function parsePayload(text: string): EventPayload {
  const stored = parseWritten(text) as Record<string, StoredValue>;
  const entries = Object.entries(stored).map(([name, value]) => [name, valueOf(value)]);
  return Object.fromEntries(entries) as EventPayload;
}

function valueOf(value: StoredValue): EventPayload[string] {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  if ('instant' in value) return new Date(value.instant);
  return 'number' in value ? Number(value.number) : value;
}
