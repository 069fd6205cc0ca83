import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import { keepProcess } from '../../support/processes/keeper.js';
import { freePort } from '../../support/processes/local-program.js';

let folder: string;
beforeAll(() => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'petstore-output-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const REQUESTS = 500;

/** A service whose standard output and standard error lead elsewhere than to the test. */
class Service {
  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    private readonly port: number,
    private readonly metricsPort: number,
  ) {}

  /** `redirected`: words of the shell. `output`: a descriptor that takes both streams. */
  static async start(redirected: string, output: number | 'ignore' = 'ignore') {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const environment = {
      DATABASE_URL: 'sqlite::memory:',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DEPRECATED_OPERATIONS: 'serve',
    };
    const args = ['-c', `exec "$@" ${redirected}`, 'sh', process.execPath, bundled('main')];
    const child = spawn('sh', args, {
      env: { PATH: process.env['PATH'], ...environment },
      cwd: folder,
      stdio: ['ignore', output, output],
    });
    keepProcess(child.pid!, once(child, 'exit'));
    const service = new Service(child, port, metricsPort);
    await eventually(() => service.#isReady());
    return service;
  }

  async #isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`It ended with ${this.child.exitCode}.`);
    return (await fetch(`http://127.0.0.1:${this.port}/readyz`)).status === 200;
  }

  /** Sends requests, each of which has a line in the log. */
  async beBusy(): Promise<void> {
    const answers = Array.from({ length: REQUESTS }, () => fetch(`http://127.0.0.1:${this.port}/v1/pets`));
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(401);
  }

  async dropped(): Promise<number> {
    const metrics = await Scrape.of(`http://127.0.0.1:${this.metricsPort}/metrics`);
    return metrics.samples('petstore_log_dropped_total')[0]!.value;
  }

  /** Ends it in order. @returns its exit code */
  async stop(): Promise<unknown> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    return (await ended)[0];
  }
}

/** A named pipe, which the test reads. */
class Pipe {
  /** For another process: one that writes alone, or this end would count as a reader. */
  readonly writing: number;
  readonly #reading: number;
  #text = '';

  constructor() {
    const path = join(mkdtempSync(join(folder, 'pipe-')), 'pipe');
    execFileSync('mkfifo', [path]);
    this.#reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writing = openSync(path, constants.O_WRONLY);
  }

  /** All that was written so far. @throws EAGAIN if nothing was written since */
  read(): string {
    const chunk = Buffer.alloc(65_536);
    this.#text += chunk.toString('latin1', 0, readSync(this.#reading, chunk));
    return this.#text;
  }

  close(): void {
    closeSync(this.#reading);
    closeSync(this.writing);
  }
}

// What is kept for a slow reader, and what is told of what was dropped: test/unit/platform/observability/output.test.ts.
describe('a service whose output', () => {
  it('is a full disk answers and ends in order', async () => {
    const service = await Service.start('>/dev/full 2>&1');
    await service.beBusy();
    expect(await service.dropped()).toBeGreaterThanOrEqual(REQUESTS);
    expect(await service.stop()).toBe(0);
  });

  it('is a pipe that nobody reads answers and ends in order, and later gives all that was kept', async () => {
    const pipe = new Pipe();
    const service = await Service.start('', pipe.writing);
    await service.beBusy();
    expect(await service.dropped()).toBe(0);
    const requests = () => pipe.read().split('"context":"Request"').length - 1;
    await eventually(async () => requests() >= REQUESTS);
    // Full again.
    await service.beBusy();
    expect(await service.stop()).toBe(0);
    pipe.close();
  });
});
