import type { TestProject } from 'vitest/node';
import { MariaDbServer } from './mariadb-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the run's own MariaDB; undefined where none is installed. */
    mariaDbPort: number | undefined;
  }
}

/** One MariaDB for the whole run. Without one the run says aloud what it leaves out, or fails if it must leave out nothing. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  if (!MariaDbServer.isInstalled()) {
    if (process.env['REQUIRE_MARIADB'])
      throw new Error('MariaDB is not installed, and nothing may be left out.');
    project.provide('mariaDbPort', undefined);
    return () => {
      process.stdout.write(
        '\nLEFT OUT: every test on MariaDB (counted as skipped above), because mariadbd is not installed.\n' +
          'On Debian: apt-get install mariadb-server. Everything else ran on SQLite and in memory.\n',
      );
      return Promise.resolve();
    };
  }
  const server = await MariaDbServer.start();
  project.provide('mariaDbPort', server.port);
  return () => server.stop();
}
