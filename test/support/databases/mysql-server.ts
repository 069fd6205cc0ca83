import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, programPath } from '../processes/local-program.js';
import { asUser, DatabaseServer } from './database-server.js';
import { serverArguments, WITHOUT_THE_DISK } from './server-arguments.js';

const run = promisify(execFile);

/** Without this user the administrator can connect through the socket only. */
const ADMINISTRATOR = `CREATE USER root@'127.0.0.1';
GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
`;

/** A private MySQL server: what `fetch-mysql.sh` has unpacked, or else an installed one. */
export class MySqlServer extends DatabaseServer {
  /**
   * Starts one, if this machine has one that starts: none is needed for a run to pass, because that of Debian's sid changes daily.
   * `said` is the version, or why tests are skipped.
   */
  static async tryToStart(...extra: string[]): Promise<{ server?: MySqlServer; said: string }> {
    const { version } = program() ?? {};
    const skipped = 'LEFT OUT, and counted as skipped: the tests on MySQL, because';
    if (!version)
      return { said: `${skipped} there is none: test/support/databases/fetch-mysql.sh unpacks it.` };
    try {
      return { server: await MySqlServer.start(...extra), said: `The tests on MySQL ran on ${version}.` };
    } catch (error) {
      return { said: `${skipped} ${version} does not start: ${String(error)}` };
    }
  }

  static async start(...extra: string[]): Promise<MySqlServer> {
    const { path } = program()!;
    const folder = await this.makeFolder('petstore-mysqld-');
    const port = await freePort();
    const own = ['--mysqlx=OFF', '--secure-file-priv=NULL', '--log-error-verbosity=1'];
    const args = [...serverArguments(folder, port), ...asUser(), ...own];
    const first = join(folder, 'first.sql');
    await writeFile(first, ADMINISTRATOR);
    const initialize = [...args, ...WITHOUT_THE_DISK, '--initialize-insecure', `--init-file=${first}`];
    await run(path, initialize, { timeout: 60_000 });
    const server = new MySqlServer(port, folder, path, [...args, ...extra]);
    await server.launch();
    return server;
  }
}

function program(): { path: string; version: string } | undefined {
  const unpacked = readdirSync(tmpdir())
    .filter((name) => name.startsWith('petstore-mysql-'))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((name) => join(tmpdir(), name, 'mysqld'))
    // Other users may write to this folder too.
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.());
  for (const path of [...unpacked, programPath('mysqld')]) {
    const { stdout } = path ? spawnSync(path, ['--no-defaults', '--version'], { encoding: 'utf8' }) : {};
    // MariaDB installs its server under the same name.
    const [, version] = /Ver (?!\S*MariaDB)(\S+)/.exec(stdout ?? '') ?? [];
    if (version) return { path: path!, version };
  }
  return undefined;
}
