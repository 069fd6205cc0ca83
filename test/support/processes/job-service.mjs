// The built service plus a module whose job writes its replica to the table `done`. Started by the test of killed jobs.
import { NestFactory } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AppModule, MODULES } from '../../../dist/app.module.js';
import { configureApp, makeReady } from '../../../dist/configure-app.js';
import { readSettings } from '../../../dist/platform/config/settings.js';
import { Leases } from '../../../dist/platform/database/leases/leases.js';
import { Migrations } from '../../../dist/platform/database/migrations/migrations.decorator.js';
import { SqlMigration } from '../../../dist/platform/database/migrations/sql-migration.js';
import { JsonExpressAdapter } from '../../../dist/platform/http/server/json-express.adapter.js';
import { welcome } from '../../../dist/platform/ops/process/welcome.js';

const TABLE = ['CREATE TABLE IF NOT EXISTS done (replica VARCHAR(16) NOT NULL)'];

class CreateDone extends SqlMigration {
  name = 'CreateDone1795132899000';
  forwards = { sqlite: TABLE, mysql: TABLE };
  backwards = { sqlite: ['DROP TABLE done'], mysql: ['DROP TABLE done'] };
}

const { REPLICA, HANG } = process.env;

class Filling {
  constructor(leases, source) {
    this.leases = leases;
    this.source = source;
  }

  /** Always for the same time. */
  poll() {
    return this.leases.run('test.filling', 2_000, () => this.fill(), { once: 1 });
  }

  /** Hangs before its end if HANG is set. */
  async fill() {
    await this.source.query('INSERT INTO done (replica) VALUES (?)', [REPLICA]);
    process.stdout.write(HANG ? 'hanging\n' : 'filled\n');
    if (HANG) await new Promise(() => {});
  }
}
Interval(100)(Filling.prototype, 'poll', Object.getOwnPropertyDescriptor(Filling.prototype, 'poll'));

class FillingModule {}
Migrations(CreateDone)(FillingModule);
const filling = {
  module: FillingModule,
  providers: [
    {
      provide: Filling,
      useFactory: (leases, source) => new Filling(leases, source),
      inject: [Leases, DataSource],
    },
  ],
};
const settings = readSettings(process.env, MODULES);

// No top-level await: with it, the bundle could not have one file per module.
async function start() {
  const app = await NestFactory.create(
    { module: class Filled {}, imports: [AppModule.with(settings, { isService: true }), filling] },
    new JsonExpressAdapter(settings),
    { bodyParser: false, logger: false },
  );
  configureApp(app);
  process.once('SIGTERM', () => app.close().then(() => process.exit(0)));
  await app.listen(settings.port, settings.host);
  process.stdout.write(welcome(settings, await app.getUrl(), await makeReady(app)));
}
void start();
