import { freePort, programPath } from '../processes/local-program.js';
import { asUser, DatabaseServer } from './database-server.js';
import { makeData } from './mariadb-data.js';
import { serverArguments } from './server-arguments.js';

export class MariaDbServer extends DatabaseServer {
  static isInstalled(): boolean {
    return ['mariadbd', 'mariadb-install-db'].every((program) => programPath(program) !== undefined);
  }

  static async start(...extra: string[]): Promise<MariaDbServer> {
    const folder = await this.makeFolder('petstore-mariadb-');
    await makeData(folder);
    const port = await freePort();
    const args = [...serverArguments(folder, port), ...asUser(), ...extra];
    const server = new MariaDbServer(port, folder, programPath('mariadbd')!, args);
    await server.launch();
    return server;
  }
}
