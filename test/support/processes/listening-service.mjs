// The built service plus a module that records the pet events it receives. Started by the test of crashes.
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AppModule, MODULES } from '../../../dist/app.module.js';
import { configureApp, makeReady } from '../../../dist/configure-app.js';
import { Events } from '../../../dist/kernel/events.js';
import { PetAdded, PetStatusChanged } from '../../../dist/pets/index.js';
import { readSettings } from '../../../dist/platform/config/settings.js';
import { Migrations } from '../../../dist/platform/database/migrations/migrations.decorator.js';
import { SqlMigration } from '../../../dist/platform/database/migrations/sql-migration.js';
import { JsonExpressAdapter } from '../../../dist/platform/http/server/json-express.adapter.js';
import { welcome } from '../../../dist/platform/ops/process/welcome.js';

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

const settings = readSettings(process.env, MODULES);
const listener = {
  module: ListenerModule,
  providers: [{ provide: 'listener', useFactory: listen, inject: [Events, DataSource] }],
};
const app = await NestFactory.create(
  { module: class Listening {}, imports: [AppModule.with(settings, { isService: true }), listener] },
  new JsonExpressAdapter(settings),
  { bodyParser: false, logger: false },
);
configureApp(app);
process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
await app.listen(settings.port, settings.host);
process.stdout.write(welcome(settings, await app.getUrl(), await makeReady(app)));
