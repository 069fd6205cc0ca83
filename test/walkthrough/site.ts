import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes/local-program.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { Program } from '../support/program.js';
import { CLI, pathWithCommand } from './command.js';
import { Diary } from './diary.js';

const INTRODUCTION = `# A day in the life

Written by \`npm run walkthrough\`, which does what stands here and keeps what was printed. Keys are cut after a few
characters, long outputs in their middle. \`$A\` and \`$B\` are the two replicas, \`$METRICS\` the metrics of the first.
`;

/** The environment of the walkthrough: a MariaDB, a folder with the command `petstore` in it, and ports for two replicas. */
export class Site {
  readonly #replicas: Program[] = [];

  private constructor(
    readonly folder: string,
    readonly server: MariaDbServer,
    readonly ports: readonly number[],
    private readonly metricsPorts: readonly number[],
    readonly environment: Record<string, string>,
    readonly diary: Diary,
  ) {}

  static async open(): Promise<Site> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-day-'));
    const server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore', 'CREATE DATABASE restored');
    const ports = [await freePort(), await freePort()];
    const metricsPorts = [await freePort(), await freePort()];
    const environment = { DATABASE_URL: server.url('petstore'), NODE_ENV: 'production' };
    const diary = new Diary(INTRODUCTION, folder, {
      ...environment,
      PATH: await pathWithCommand(folder),
      A: `http://127.0.0.1:${ports[0]}`,
      B: `http://127.0.0.1:${ports[1]}`,
      METRICS: `http://127.0.0.1:${metricsPorts[0]}/metrics`,
      DB_PORT: String(server.port),
    });
    return new Site(folder, server, ports, metricsPorts, environment, diary);
  }

  /** Starts a replica, the first (0) or the second (1). */
  serve(i: number, more: Record<string, string> = {}): void {
    const own = {
      PORT: String(this.ports[i]),
      METRICS_PORT: String(this.metricsPorts[i]),
      DRAIN_DELAY: '500',
    };
    const environment = { ...this.environment, ...own, LOG_LEVEL: 'warn', ...more };
    this.#replicas[i] = Program.start(CLI, ['serve'], environment, this.folder);
  }

  /** Stops a replica as an operator does. */
  stop(i: number) {
    return this.#replicas[i]!.stop();
  }

  /** The command line, as a program that can be killed. */
  petstore(...args: string[]): Program {
    return Program.start(CLI, args, this.environment, this.folder);
  }

  /** Waits until `/readyz` of a replica responds with this status. */
  turns(i: number, status: 200 | 503): Promise<void> {
    return eventually(
      async () => (await fetch(`http://127.0.0.1:${this.ports[i]}/readyz`)).status === status,
    );
  }

  /** Waits until the first replica has answered `more` further requests. */
  async answers(more: number): Promise<void> {
    const enough = (await this.#answered()) + more;
    await eventually(async () => (await this.#answered()) >= enough);
  }

  /** How many pets are stored. */
  async stored(): Promise<number> {
    return Number((await this.server.query('SELECT COUNT(*) AS n FROM petstore.pets'))[0]!['n']);
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.isRunning && replica.stop()));
    await this.server.stop();
    await rm(this.folder, { recursive: true });
  }

  async #answered(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.metricsPorts[0]}/metrics`)).text();
    const counts = [...text.matchAll(/^petstore_http_requests_total\{.*\} (\d+)/gm)].map(([, n]) =>
      Number(n),
    );
    return counts.reduce((all, n) => all + n, 0);
  }
}
