import type { TestProject } from 'vitest/node';
import { programPath } from './local-program.js';
import { MariaDbServer } from './mariadb-server.js';
import { RedisServer } from './redis-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the run's own MariaDB; undefined where none is installed. */
    mariaDbPort: number | undefined;
    /** Whether tests can start a Redis. */
    redisIsInstalled: boolean;
    /** The browser that tests drive; undefined where none is installed. */
    chromiumPath: string | undefined;
  }
}

/** One MariaDB for the whole run. What is missing is said aloud at the end, or fails the run if nothing may be left out. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mariaDb = MariaDbServer.isInstalled() ? await MariaDbServer.start() : undefined;
  project.provide('mariaDbPort', mariaDb?.port);
  project.provide('redisIsInstalled', RedisServer.isInstalled());
  const chromiumPath = programPath('chromium');
  project.provide('chromiumPath', chromiumPath);

  const leftOut = [
    ...(mariaDb ? [] : ['every test on MariaDB, because mariadbd is not installed (Debian: mariadb-server)']),
    ...(RedisServer.isInstalled()
      ? []
      : ['every test on Redis, because it is not installed (Debian: redis-server)']),
    ...(chromiumPath
      ? []
      : ['every test in a browser, because Chromium is not installed (Debian: chromium)']),
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
