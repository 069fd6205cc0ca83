import { EntitySchema } from 'typeorm';
import { columns } from '../columns.js';

export interface SequenceRow {
  readonly name: string;
  /** The first id that nobody has reserved. */
  readonly nextId: bigint;
}

export const SequenceSchema = new EntitySchema<SequenceRow>({
  name: 'Sequence',
  tableName: 'sequences',
  withoutRowid: true,
  columns: {
    name: columns.word(64, { primary: true }),
    nextId: columns.int64({ name: 'next_id' }),
  },
});
