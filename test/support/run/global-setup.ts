import type { TestProject } from 'vitest/node';
import { build } from '../built-service.js';
import { leftOut } from './installed.js';
import { programPath } from '../processes/local-program.js';
import { WITHOUT_THE_DISK } from '../databases/mariadb-arguments.js';
import { MariaDbServer } from '../databases/mariadb-server.js';
import { RedisServer } from '../databases/redis-server.js';

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

/**
 * One build and one MariaDB for the whole run, or the server at MYSQL_PORT in its place. What is missing fails a run that may
 * leave out nothing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = leftOut();
  if (missing.length > 0 && process.env['REQUIRE_SERVERS']) {
    throw new Error(`Nothing may be left out, but would be: ${missing.join('; ')}`);
  }
  if (!process.env['WITHOUT_BUILD']) build();
  const other = process.env['MYSQL_PORT'];
  const isOwn = other === undefined && MariaDbServer.isInstalled();
  const mariaDb = isOwn ? await MariaDbServer.start(...WITHOUT_THE_DISK) : undefined;
  project.provide('mariaDbPort', other === undefined ? mariaDb?.port : Number(other));
  project.provide('redisIsInstalled', RedisServer.isInstalled());
  project.provide('chromiumPath', programPath('chromium'));
  project.provide('curlIsInstalled', programPath('curl') !== undefined);
  project.provide('promtoolPath', programPath('promtool'));
  return async () => mariaDb?.stop();
}
