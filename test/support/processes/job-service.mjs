// The built service plus a module whose job writes its replica to the table `done`. Started by the test of killed jobs.
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Leases } from '../../../dist/platform/database/leases/leases.js';
import { Migrations } from '../../../dist/platform/database/migrations/migrations.decorator.js';
import { SqlMigration } from '../../../dist/platform/database/migrations/sql-migration.js';
import { startWith } from './start-with.mjs';

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
const useFactory = (leases, source) => new Filling(leases, source);
const filling = { provide: Filling, useFactory, inject: [Leases, DataSource] };

// No top-level await: with it, the bundle could not have one file per module.
void startWith({ module: FillingModule, providers: [filling] });
