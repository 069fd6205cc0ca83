import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Settings } from '../../config/settings.js';
import { JoiningDataSource } from '../../database/units/data-source.js';
import { Database } from '../../database/database.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { DatabaseUnavailable, reasonOf } from '../../database/errors.js';
import { Leases } from '../../database/leases/leases.js';
import { unsafeSettings } from '../../database/mysql/unsafe-settings.js';
import { SequenceSchema } from '../../database/sequence/sequences.js';
import { type Finding, ok, problem, warning } from './doctor-check.js';

/** A check of the platform. */
export interface Check {
  readonly name: string;
  /** The check that must find no problem before this one runs. */
  readonly after?: string;
  run(app: INestApplicationContext): Promise<Finding[]>;
}

/** The checks of the platform, in the order of their lines. The checks of modules come before the last one. */
export const CHECKS: readonly Check[] = [
  // The application is assembled only if all settings are valid.
  { name: 'settings', run: () => Promise.resolve([ok('The settings are valid.')]) },
  { name: 'database', run: checkDatabase },
  { name: 'migrations', after: 'database', run: checkMigrations },
  { name: 'leases', after: 'migrations', run: checkLeases },
  { name: 'writes', after: 'migrations', run: checkWrites },
  { name: 'port', run: checkPort },
];

/**
 * Connects to the database. If it is a file that does not exist, it reports that, because connecting would create the file.
 * @throws DatabaseUnusable
 */
async function checkDatabase(app: INestApplicationContext): Promise<Finding[]> {
  const { database } = app.get(Settings);
  if (database.engine === 'sqlite' && database.file !== ':memory:' && !existsSync(database.file)) {
    const remedy =
      'Check DATABASE_URL. If it is right, "petstore db migrate" or a start of the service creates the file.';
    return [problem(`The file ${resolve(database.file)} does not exist.`, remedy)];
  }
  await app.get(Database).connect({ waitForServer: false });
  app.get(JoiningDataSource).open();
  const deviation = await app.get(DatabaseClock).read();
  const unsafe = await unsafeSettings(app.get(JoiningDataSource));
  return [
    ok(`${app.get(Database).name} answers.`),
    ...(deviation === undefined ? [] : [warning(deviation, 'Synchronise both clocks with NTP.')]),
    ...unsafe.map(({ what, remedy }) => warning(what, remedy)),
  ];
}

/** The migrations that the installed version would apply. Before an upgrade, run it with the new version. */
async function checkMigrations(app: INestApplicationContext): Promise<Finding[]> {
  const missing = await app.get(Database).probe();
  if (missing.length === 0) return [ok('Every migration is applied.')];
  const byStart = app.get(Settings).migrateOnStart ? ', or the next start,' : '';
  return [
    problem(`Migrations are missing: ${missing.join(', ')}.`, `petstore db migrate${byStart} applies them.`),
  ];
}

/** Reports jobs, purges and migrations whose latest run failed. */
async function checkLeases(app: INestApplicationContext): Promise<Finding[]> {
  const failed = (await app.get(Leases).states()).flatMap(({ name, endedAt, problem: why }) => {
    const what = `"${name}" failed at ${endedAt ? new Date(endedAt).toISOString() : 'an unknown time'}: ${why}.`;
    return why ? warning(what, 'See the log of the context "Leases".') : [];
  });
  return failed.length > 0 ? failed : [ok('The latest run of each job, purge and migration succeeded.')];
}

/** Adds a row and removes it in one transaction, without retries. Adding a row needs space on the disk. */
async function checkWrites(app: INestApplicationContext): Promise<Finding[]> {
  // The name is unique, so that replicas that start together do not wait for each other.
  const name = `doctor ${randomUUID()}`;
  try {
    await app.get(JoiningDataSource).runOnce(async (manager) => {
      await manager.insert(SequenceSchema, { name, nextId: 1n });
      await manager.delete(SequenceSchema, { name });
    });
    return [ok('The database accepts writes.')];
  } catch (error) {
    const known = error instanceof DatabaseUnavailable ? error.remedy : undefined;
    const remedy = known ?? 'Check the server, the privileges of its user, the file and its disk.';
    return [problem(`The database rejects a write: ${reasonOf(error)}.`, `${remedy} Reads may still work.`)];
  }
}

async function checkPort(app: INestApplicationContext): Promise<Finding[]> {
  const { host, port } = app.get(Settings);
  const at = `${host}:${port}`;
  const server = app.get(HttpAdapterHost).httpAdapter?.getHttpServer() as { listening: boolean } | undefined;
  if (server?.listening) return [ok(`This process listens at ${at}.`)];
  const socket = connect(port, host);
  const isTaken = await once(socket, 'connect').then(Boolean, () => false);
  socket.destroy();
  if (!isTaken) return [ok(`${at} is free.`)];
  const livez = `http://${host.includes(':') ? `[${host}]` : host}:${port}/livez`;
  const answer = await fetch(livez, { signal: AbortSignal.timeout(1_000) })
    .then((response) => response.text())
    .catch(() => '');
  if (answer === '{"status":"alive"}') return [ok(`A service answers at ${at}.`)];
  return [problem(`${at} is in use by another program.`, 'Stop that program, or set PORT.')];
}
