import { EntitySchema } from 'typeorm';
import type { Int64 } from '../../../src/kernel/index.js';
import { columns, SqlMigration } from '../../../src/platform/database/index.js';

export const KINDS = ['check', 'surgery', 'vaccination'] as const;
export type Kind = (typeof KINDS)[number];
export const REASONS = ['illness', 'travel'] as const;
export type Reason = (typeof REASONS)[number];

/** An entity with a column, an index and a key of each kind. */
export class Appointment {
  id!: Int64;
  petId!: Int64;
  kind!: Kind;
  vet!: string;
  dueAt?: Date | undefined;
  isPaid!: boolean;
  note?: string | undefined;
  reason?: Reason | undefined;
  price?: Int64 | undefined;
  /** Unique. */
  ticket?: string | undefined;
  /** The id of the preceding appointment. */
  followsId?: Int64 | undefined;
  version!: number;
}

/** An appointment with its animal from another module; null if that has no such animal. */
export type AgendaItem = Appointment & { readonly pet: { readonly name: string } | null };

export const AppointmentSchema = new EntitySchema<Appointment>({
  name: 'Appointment',
  target: Appointment,
  tableName: 'appointments',
  columns: {
    id: columns.int64({ primary: true }),
    petId: columns.int64({ name: 'pet_id' }),
    kind: columns.word(16),
    vet: columns.text(40),
    dueAt: columns.instant({ name: 'due_at', nullable: true }),
    isPaid: columns.boolean({ name: 'is_paid' }),
    note: columns.text(40, { nullable: true }),
    reason: columns.word(16, { nullable: true }),
    price: columns.int64({ nullable: true }),
    ticket: columns.word(16, { nullable: true }),
    followsId: columns.int64({ name: 'follows_id', nullable: true }),
    version: columns.number(),
  },
  indices: [
    { name: 'appointments_by_ticket', columns: ['ticket'], unique: true },
    { name: 'appointments_by_due', columns: ['dueAt', 'id'] },
    { name: 'appointments_by_vet', columns: ['vet', 'id'] },
    { name: 'appointments_by_kind', columns: ['kind', 'id'] },
    { name: 'appointments_by_pet', columns: ['petId', 'id'] },
    { name: 'appointments_by_pet_and_due', columns: ['petId', 'dueAt'] },
    { name: 'appointments_by_pet_and_vet', columns: ['petId', 'vet', 'id'] },
    { name: 'appointments_by_pet_and_kind', columns: ['petId', 'kind', 'id'] },
  ],
});

const INDICES = AppointmentSchema.options.indices!.map(({ name, columns: of, unique }) => {
  const names = (of as string[]).map((column) =>
    column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON appointments (${names.join(', ')})`;
});

export class CreateAppointments extends SqlMigration {
  readonly name = 'CreateAppointments1795999999999';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE appointments (
         id INTEGER NOT NULL PRIMARY KEY,
         pet_id INTEGER NOT NULL,
         kind TEXT NOT NULL,
         vet TEXT NOT NULL,
         due_at INTEGER,
         is_paid INTEGER NOT NULL,
         note TEXT,
         reason TEXT,
         price INTEGER,
         ticket TEXT,
         follows_id INTEGER REFERENCES appointments (id),
         version INTEGER NOT NULL
       ) STRICT`,
      ...INDICES,
      `INSERT OR IGNORE INTO sequences (name, next_id) VALUES ('appointments', 1)`,
    ],
    mysql: [
      `CREATE TABLE appointments (
         id BIGINT NOT NULL PRIMARY KEY,
         pet_id BIGINT NOT NULL,
         kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
         vet VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         due_at BIGINT NULL,
         is_paid TINYINT NOT NULL,
         note VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
         reason VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
         price BIGINT NULL,
         ticket VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
         follows_id BIGINT NULL,
         version BIGINT NOT NULL,
         FOREIGN KEY (follows_id) REFERENCES appointments (id)
       ) ENGINE = InnoDB`,
      ...INDICES,
      `INSERT IGNORE INTO sequences (name, next_id) VALUES ('appointments', 1)`,
    ],
  };

  protected readonly backwards = {
    sqlite: ['DROP TABLE appointments', `DELETE FROM sequences WHERE name = 'appointments'`],
    mysql: ['DROP TABLE appointments', `DELETE FROM sequences WHERE name = 'appointments'`],
  };
}
