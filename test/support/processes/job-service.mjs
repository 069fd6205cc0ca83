// The built service plus a module whose job fills the table `done` step by step. Started by the test of killed jobs.
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AppModule, MODULES } from '../../../dist/app.module.js';
import { configureApp, makeReady } from '../../../dist/configure-app.js';
import { readSettings } from '../../../dist/platform/config/settings.js';
import { Migrations } from '../../../dist/platform/database/migrations/migrations.decorator.js';
import { SqlMigration } from '../../../dist/platform/database/migrations/sql-migration.js';
import { JsonExpressAdapter } from '../../../dist/platform/http/server/json-express.adapter.js';
import { Job } from '../../../dist/platform/jobs/job.decorator.js';
import { welcome } from '../../../dist/platform/process/welcome.js';

const TABLE = ['CREATE TABLE IF NOT EXISTS done (replica VARCHAR(16) NOT NULL, step INTEGER NOT NULL)'];

class CreateDone extends SqlMigration {
  name = 'CreateDone1795132899000';
  forwards = { sqlite: TABLE, mysql: TABLE };
  backwards = { sqlite: ['DROP TABLE done'], mysql: ['DROP TABLE done'] };
}

const { REPLICA, HANG } = process.env;

class Filling {
  constructor(source) {
    this.source = source;
  }

  /** Hangs in the second of its three steps if HANG is set. */
  async fill(run) {
    for (const step of [1, 2, 3]) {
      await run.step(async () => {
        await this.source.query('INSERT INTO done (replica, step) VALUES (?, ?)', [REPLICA, step]);
        if (step !== 2 || !HANG) return;
        process.stdout.write('hanging\n');
        await new Promise(() => {});
      });
    }
    process.stdout.write('filled\n');
  }
}
Job('test.filling', '* * * * * *')(
  Filling.prototype,
  'fill',
  Object.getOwnPropertyDescriptor(Filling.prototype, 'fill'),
);

class FillingModule {}
Migrations(CreateDone)(FillingModule);
const filling = {
  module: FillingModule,
  providers: [{ provide: Filling, useFactory: (source) => new Filling(source), inject: [DataSource] }],
};
const settings = readSettings(process.env, MODULES);

// No top-level await: with it, the bundle could not have one file per module.
async function start() {
  const app = await NestFactory.create(
    { module: class Filled {}, imports: [AppModule.with(settings), filling] },
    new JsonExpressAdapter(settings),
    { bodyParser: false, logger: false },
  );
  configureApp(app);
  process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
  await app.listen(settings.port, settings.host);
  process.stdout.write(welcome(settings, await app.getUrl(), await makeReady(app)));
}
void start();
