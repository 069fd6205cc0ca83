import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/columns.js';

/** The progress of an imported file. Times are milliseconds since 1970. */
export interface Import {
  /** SHA-256 of the file in hex. */
  readonly contents: string;
  readonly name: string;
  readonly lastLine: number;
  readonly added: number;
  readonly refused: number;
  readonly begunAt: number;
  readonly changedAt: number;
}

export const ImportSchema = new EntitySchema<Import>({
  name: 'Import',
  tableName: 'imports',
  withoutRowid: true,
  columns: {
    contents: columns.word(64, { type: 'char', primary: true }),
    name: columns.text(255),
    lastLine: columns.number({ name: 'last_line' }),
    added: columns.number(),
    refused: columns.number(),
    begunAt: columns.number({ name: 'begun_at' }),
    changedAt: columns.number({ name: 'changed_at' }),
  },
});
