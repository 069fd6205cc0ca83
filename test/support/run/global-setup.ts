import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { packClient } from '../../client/packed-client.js';
import { buildFor } from '../built-service.js';
import { leftOut } from './installed.js';
import { needsOfRun } from './needs.js';
import { forgetFolder } from '../processes/keeper.js';
import { programPath } from '../processes/local-program.js';
import { WITHOUT_THE_DISK } from '../databases/server-arguments.js';
import { MariaDbServer } from '../databases/mariadb-server.js';
import { MySqlServer } from '../databases/mysql-server.js';
import { RedisServer } from '../databases/redis-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the MariaDB of the run; undefined if there is none. */
    mariaDbPort: number | undefined;
    /** The MySQL of the run: its port, if there is one, and the text about it at the end. */
    mySql: { readonly port?: number; readonly said: string };
    /** The archive of `@petstore/client`; undefined if the setup of the run does not pack it. */
    clientArchive: string | undefined;
    /** Whether tests can start a Redis. */
    redisIsInstalled: boolean;
    /** The path of the browser that tests control; undefined if none is installed. */
    chromiumPath: string | undefined;
    /** Whether tests can run the curl command that the first start prints. */
    curlIsInstalled: boolean;
    /** The path of Prometheus' tool that checks rules; undefined if it is not installed. */
    promtoolPath: string | undefined;
  }
}

/**
 * Provides one build, one MariaDB and one MySQL for the run, if one of its test files needs them. With REQUIRE_SERVERS a missing program
 * fails it, except MySQL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    return await prepare(project);
  } catch (error) {
    if (project.vitest.config.watch) throw error;
    // Vitest would report "No test files found" first, as if the name of a test were wrong.
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  }
}

async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const missing = leftOut();
  if (missing.length > 0 && process.env['REQUIRE_SERVERS']) {
    throw new Error(`Nothing may be left out, but would be: ${missing.join('; ')}`);
  }
  const needs = await needsOfRun(project);
  buildFor(needs);
  const starting = needs.servers ? startServers(project) : undefined;
  // While the servers start.
  const packed = needs.client ? packClient() : undefined;
  project.provide('clientArchive', packed?.archive);
  const stopServers = await starting;
  project.provide('redisIsInstalled', RedisServer.isInstalled());
  project.provide('chromiumPath', programPath('chromium'));
  project.provide('curlIsInstalled', programPath('curl') !== undefined);
  project.provide('promtoolPath', programPath('promtool'));
  return async () => {
    if (packed) {
      rmSync(packed.folder, { recursive: true });
      forgetFolder(packed.folder);
    }
    await stopServers?.();
  };
}

async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const [mariaDb, { server: mySql, said }] = await Promise.all([
    MariaDbServer.isInstalled() ? MariaDbServer.start(...WITHOUT_THE_DISK) : undefined,
    MySqlServer.tryToStart(...WITHOUT_THE_DISK),
  ]);
  project.provide('mariaDbPort', mariaDb?.port);
  project.provide('mySql', { port: mySql?.port, said });
  return async () => {
    await Promise.all([mariaDb?.stop(), mySql?.stop()]);
  };
}
