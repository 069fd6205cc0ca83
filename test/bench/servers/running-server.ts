import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/processes/local-program.js';
import { Program } from '../../support/program.js';
import type { Shape } from '../figures/results.js';
import { runAtRate } from '../traffic/open-loop.js';
import type { BenchRequest } from '../traffic/scenarios.js';
import { type Load, runWrk, type Seen } from '../traffic/wrk.js';
import { usageOf } from './machine.js';

const PATIENCE_MS = 30_000;
const POLL_MS = 5;

interface Start {
  readonly script: string;
  readonly key: string;
  readonly environment: Record<string, string>;
  readonly nodeArgs?: readonly string[];
}

/** The requests of a scenario, as a list and as the file that `walk.lua` reads. */
export interface Requests {
  readonly requests: BenchRequest[];
  readonly file: string;
}

/** A run of a load: for how long, and in which shape. */
export type Timed = Shape & Pick<Load, 'seconds' | 'keysFile'>;

/** Adds the resources used by the server's process; unlike throughput, they change little when others use the machine. */
export interface Measured extends Seen {
  readonly cpuMicrosPerRequest: number;
  readonly residentMiB: number;
}

export class RunningServer {
  readyMs = Number.NaN;

  private constructor(
    readonly program: Program,
    readonly origin: string,
    private readonly key: string,
  ) {}

  /** Starts the server and waits for its first successful list response. */
  static async start(
    { script, key, environment, nodeArgs = [] }: Start,
    signal: AbortSignal,
  ): Promise<RunningServer> {
    const port = await freePort();
    const { PATH = '' } = process.env;
    const env = { PATH, NODE_ENV: 'production', PORT: String(port), ...environment };
    const begin = performance.now();
    const program = Program.run(process.execPath, [...nodeArgs, script], env);
    const server = new RunningServer(program, `http://127.0.0.1:${port}`, key);
    try {
      while (!(await server.#isReady())) {
        if (!program.isRunning || performance.now() - begin > PATIENCE_MS)
          throw new Error(`${script} does not get ready:\n${program.output}`);
        await sleep(POLL_MS, undefined, { signal });
      }
    } catch (error) {
      await server.stop();
      throw error;
    }
    server.readyMs = performance.now() - begin;
    return server;
  }

  ask(method: string, path: string, body?: string, key = this.key): Promise<Response> {
    const headers = new Headers({ Authorization: `Bearer ${key}` });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    return fetch(this.origin + path, { method, headers, body: body ?? null });
  }

  usage() {
    return usageOf(this.program.pid);
  }

  /** Sends it the requests in a closed loop or, at a rate, in an open one. */
  async measure({ file, requests }: Requests, timed: Timed, signal: AbortSignal): Promise<Measured> {
    const before = this.usage().cpuSeconds;
    const { rate, ...shape } = timed;
    const load = { origin: this.origin, key: this.key, file, ...shape };
    const seen = await (rate === undefined
      ? runWrk(load, signal)
      : runAtRate({ ...load, requests, rate }, signal));
    const { cpuSeconds, residentMiB } = this.usage();
    return { ...seen, cpuMicrosPerRequest: ((cpuSeconds - before) * 1e6) / seen.requests, residentMiB };
  }

  async stop(): Promise<void> {
    const ended = this.program.stop();
    // A process that does not end by itself must not use CPU while the next server is measured.
    const last = setTimeout(() => this.program.stop('SIGKILL'), 5_000);
    await ended;
    clearTimeout(last);
  }

  #isReady(): Promise<boolean> {
    return this.ask('GET', '/v1/pets?limit=1').then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
  }
}
