import { EntitySchema, type MigrationInterface, type QueryRunner, TableForeignKey } from 'typeorm';
import type { Int64 } from '../../../src/kernel/index.js';
import { columns } from '../../../src/platform/database/index.js';
import { tableOf } from '../create-table.js';

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

/** An appointment with its pet from another module; null if the pet does not exist. */
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

/** The table that the schema describes, with a foreign key besides. */
export class CreateAppointments implements MigrationInterface {
  readonly name = 'CreateAppointments1795999999999';

  async up(runner: QueryRunner): Promise<void> {
    const table = tableOf(runner, AppointmentSchema);
    const follows = { columnNames: ['follows_id'], referencedColumnNames: ['id'] };
    table.addForeignKey(new TableForeignKey({ ...follows, referencedTableName: 'appointments' }));
    await runner.createTable(table);
    await runner.query(`INSERT INTO sequences (name, next_id) VALUES ('appointments', 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('appointments');
    await runner.query(`DELETE FROM sequences WHERE name = 'appointments'`);
  }
}
