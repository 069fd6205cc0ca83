import type { TestProject } from 'vitest/node';
import { build } from './built-service.js';
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
    /** Whether the line that the first start prints can be tried. */
    curlIsInstalled: boolean;
    /** Prometheus' tool that checks rules; undefined where none is installed. */
    promtoolPath: string | undefined;
  }
}

/** One MariaDB for the whole run. What is missing is said aloud at the end, or fails the run if nothing may be left out. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  build();
  const mariaDb = MariaDbServer.isInstalled() ? await MariaDbServer.start() : undefined;
  const chromiumPath = programPath('chromium');
  const curlIsInstalled = programPath('curl') !== undefined;
  const redisIsInstalled = RedisServer.isInstalled();
  project.provide('mariaDbPort', mariaDb?.port);
  project.provide('redisIsInstalled', redisIsInstalled);
  project.provide('chromiumPath', chromiumPath);
  project.provide('curlIsInstalled', curlIsInstalled);
  const promtoolPath = programPath('promtool');
  project.provide('promtoolPath', promtoolPath);

  const needs: [there: boolean, tests: string, debianPackage: string][] = [
    [mariaDb !== undefined, 'every test on MariaDB', 'mariadb-server'],
    [redisIsInstalled, 'every test on Redis', 'redis-server'],
    [chromiumPath !== undefined, 'every test in a browser', 'chromium'],
    [promtoolPath !== undefined, 'trying the alerts', 'prometheus'],
    [curlIsInstalled, 'trying the line that the first start prints', 'curl'],
    [programPath('openssl') !== undefined, 'every test of TLS to the database', 'openssl'],
  ];
  const leftOut = needs
    .filter(([there]) => !there)
    .map(([, tests, debianPackage]) => `${tests}, because ${debianPackage} (Debian's name) is not installed`);
  if (leftOut.length > 0 && process.env['REQUIRE_SERVERS']) {
    await mariaDb?.stop();
    throw new Error(`Nothing may be left out, but would be: ${leftOut.join('; ')}`);
  }
  return async () => {
    await mariaDb?.stop();
    for (const what of leftOut) process.stdout.write(`\nLEFT OUT, and counted as skipped: ${what}.\n`);
  };
}
