import type { TestProject } from 'vitest/node';
import { MariaDbServer } from './mariadb-server.js';
import { RedisServer } from './redis-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the run's own MariaDB; undefined where none is installed. */
    mariaDbPort: number | undefined;
    /** Whether tests can start a Redis. */
    redisIsInstalled: boolean;
  }
}

/** One MariaDB for the whole run. What is missing is said aloud at the end, or fails the run if nothing may be left out. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mariaDb = MariaDbServer.isInstalled() ? await MariaDbServer.start() : undefined;
  project.provide('mariaDbPort', mariaDb?.port);
  project.provide('redisIsInstalled', RedisServer.isInstalled());

  const leftOut = [
    ...(mariaDb ? [] : ['every test on MariaDB, because mariadbd is not installed (Debian: mariadb-server)']),
    ...(RedisServer.isInstalled()
      ? []
      : ['every test on Redis, because it is not installed (Debian: redis-server)']),
  ];
  if (leftOut.length > 0 && process.env['REQUIRE_SERVERS']) {
    await mariaDb?.stop();
    throw new Error(`Nothing may be left out, but would be: ${leftOut.join('; ')}`);
  }
  return async () => {
    await mariaDb?.stop();
    for (const what of leftOut) process.stdout.write(`\nLEFT OUT, and counted as skipped: ${what}.\n`);
  };
}
