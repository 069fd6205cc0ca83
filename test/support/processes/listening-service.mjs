// The built service plus a module that records the pet events it receives. Started by test/faults/history.test.ts.
import { DataSource } from 'typeorm';
import { Events } from '../../../dist/kernel/events.js';
import { PetAdded, PetStatusChanged } from '../../../dist/pets/index.js';
import { Migrations } from '../../../dist/platform/database/migrations/migrations.decorator.js';
import { SqlMigration } from '../../../dist/platform/database/migrations/sql-migration.js';
import { startWith } from './start-with.mjs';

const TABLE = [
  'CREATE TABLE IF NOT EXISTS heard (pet BIGINT NOT NULL, place INTEGER NOT NULL, status VARCHAR(16) NOT NULL)',
];

class CreateHeard extends SqlMigration {
  name = 'CreateHeard1795132899000';
  forwards = { sqlite: TABLE, mysql: TABLE };
  backwards = { sqlite: ['DROP TABLE heard'], mysql: ['DROP TABLE heard'] };
}

class ListenerModule {}
Migrations(CreateHeard)(ListenerModule);

function listen(events, source) {
  const note = (id, status) =>
    source.query(
      `INSERT INTO heard (pet, place, status) SELECT ?, COUNT(*) + 1, ? FROM heard WHERE pet = ?`,
      [id, status, id],
    );
  // Without this subscription PetAdded has no subscriber, so several pets are added in one statement.
  if (process.env.HEAR !== 'changes')
    events.subscribe(PetAdded, 'listener', ({ id, status }) => note(id, status));
  events.subscribe(PetStatusChanged, 'listener', ({ id, to }) => note(id, to));
  return events;
}

const listener = { provide: 'listener', useFactory: listen, inject: [Events, DataSource] };
await startWith({ module: ListenerModule, providers: [listener] });
