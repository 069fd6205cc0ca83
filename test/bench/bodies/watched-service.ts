import { join } from 'node:path';
import { PLACES } from '../command/places.js';
import { type FilledTable, fillTable } from '../servers/database.js';
import { RunningServer } from '../servers/running-server.js';

/** A POST with a JSON body. */
export interface BodyCase {
  readonly path: string;
  readonly body: Buffer;
  readonly isGzip: boolean;
}

/** What one request has cost. */
export interface Figures {
  readonly status: number;
  /** The longest time that the event loop was busy without a pause. */
  readonly delayMs: number;
  readonly cpuMs: number;
  /** By how much the resident memory grew at most. */
  readonly addedMiB: number;
}

/** A service with a database of its own, whose cost of one request can be measured. */
export class WatchedService {
  #measurements = 0;

  private constructor(
    private readonly table: FilledTable,
    private readonly server: RunningServer,
  ) {}

  static async start(folder: string, built: string, signal: AbortSignal): Promise<WatchedService> {
    const table = await fillTable(folder, { engine: 'sqlite', animals: 1, cli: join(built, 'cli.js') });
    const environment = {
      DATABASE_URL: table.database.url,
      LOG_LEVEL: 'error',
      BODY_LIMIT: '8mb',
      BUILT: built,
    };
    const start = { script: PLACES.watchedService, key: table.key.secret, environment };
    return new WatchedService(
      table,
      await RunningServer.start({ ...start, nodeArgs: ['--expose-gc'] }, signal),
    );
  }

  async measure({ path, body, isGzip }: BodyCase): Promise<Figures> {
    const { program, origin } = this.server;
    const number = ++this.#measurements;
    process.kill(program.pid, 'SIGURG');
    await program.printed(new RegExp(`^measuring ${number}$`, 'm'));
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.table.key.secret}`,
        'Content-Type': 'application/json',
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
      },
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    process.kill(program.pid, 'SIGURG');
    const [, figures] = await program.printed(new RegExp(`^figures ${number} (.*)$`, 'm'));
    return { ...(JSON.parse(figures!) as Omit<Figures, 'status'>), status: response.status };
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.table.database.stop();
  }
}
