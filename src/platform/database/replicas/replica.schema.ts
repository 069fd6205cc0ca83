import { EntitySchema } from 'typeorm';
import { columns } from '../columns.js';

/** A process that serves, as the table `replicas` knows it. */
export interface Replica {
  readonly id: string;
  /** For people: the machine and the process. */
  readonly place: string;
  /** The newest migration that its version of the service has. */
  readonly newestMigration: string;
  /** When it was last heard of, in milliseconds since 1970. */
  readonly seenAt: number;
}

export const ReplicaSchema = new EntitySchema<Replica>({
  name: 'Replica',
  tableName: 'replicas',
  columns: {
    id: columns.word(64, { primary: true }),
    place: columns.text(255),
    newestMigration: columns.text(255, { name: 'newest_migration' }),
    seenAt: columns.number({ name: 'seen_at' }),
  },
  indices: [{ name: 'replicas_by_seen_at', columns: ['seenAt'] }],
});
