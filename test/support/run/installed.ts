import { programPath } from '../processes/local-program.js';
import { MariaDbServer } from '../databases/mariadb-server.js';
import { RedisServer } from '../databases/redis-server.js';

/** What tests need besides Node: whether it is installed, which tests need it, and its Debian package. */
const needs = (): [there: boolean, tests: string, debianPackage: string][] => [
  [MariaDbServer.isInstalled(), 'every test on MariaDB', 'mariadb-server'],
  [RedisServer.isInstalled(), 'every test on Redis', 'redis-server'],
  [programPath('chromium') !== undefined, 'every test in a browser', 'chromium'],
  [programPath('haproxy') !== undefined, 'the test of the pages behind a proxy', 'haproxy'],
  [programPath('promtool') !== undefined, 'the tests of the alerts', 'prometheus'],
  [programPath('curl') !== undefined, 'the test of the command that the first start prints', 'curl'],
  [programPath('systemd-analyze') !== undefined, 'the check of the systemd unit', 'systemd'],
  [programPath('logrotate') !== undefined, 'the rotation of the log', 'logrotate'],
  [programPath('openssl') !== undefined, 'every test of TLS to the database', 'openssl'],
];

/** The tests that are skipped on this machine, and why. */
export const leftOut = (): string[] =>
  needs()
    .filter(([there]) => !there)
    .map(([, tests, debianPackage]) => `${tests}, because ${debianPackage} (Debian's name) is not installed`);
