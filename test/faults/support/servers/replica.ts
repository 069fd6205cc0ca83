import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { eventually } from '../../../support/eventually.js';
import { startBuilt } from '../../../support/built-service.js';
import { keepProcess } from '../../../support/processes/keeper.js';
import { freePort } from '../../../support/processes/local-program.js';
import type { Ending, Program } from '../../../support/program.js';
import { Caller, SECRET } from '../load/caller.js';

/** The built service as a separate process, which can be killed and started again on the same port. */
export class Replica {
  readonly caller: Caller;
  #program!: Program;

  private constructor(
    readonly port: number,
    private readonly environment: Readonly<Record<string, string>>,
    private start: typeof startBuilt,
  ) {
    this.caller = new Caller(`http://127.0.0.1:${port}`);
  }

  /** Starts one by `start`, and waits until it listens. */
  static async launch(
    database: string,
    environment: Record<string, string> = {},
    start = startBuilt,
  ): Promise<Replica> {
    const everywhere = { MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: SECRET };
    const all = { DATABASE_URL: database, ...everywhere, ...environment };
    const replica = new Replica(await freePort(), all, start);
    await replica.launch();
    return replica;
  }

  /** Starts one, and waits until it is ready. */
  static async start(...given: Parameters<typeof Replica.launch>): Promise<Replica> {
    const replica = await Replica.launch(...given);
    await replica.ready();
    return replica;
  }

  /** Starts it again, perhaps another version of it, and waits until it is ready. */
  async again(start = this.start): Promise<void> {
    this.start = start;
    await this.launch();
    await this.ready();
  }

  async launch(): Promise<void> {
    // In a folder without an `.env`.
    this.#program = this.start({ ...this.environment, PORT: String(this.port) }, tmpdir());
    keepProcess(this.#program.pid, this.#program.end());
    await this.#program.printed(/Listening on http|Pet Store +http/);
  }

  async ready(): Promise<void> {
    await this.#program.printed(/Pet Store +http/);
  }

  get origin(): string {
    return this.caller.origin;
  }

  get pid(): number {
    return this.#program.pid;
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** What it printed since it was launched, or since `forget`. */
  get output(): string {
    return this.#program.output;
  }

  /** Lines of its output that report unexpected problems. */
  get surprises(): string[] {
    return this.output.split('\n').filter((line) => /unhandled|uncaught|Warning:|"level":60/i.test(line));
  }

  /** Forgets what it has printed. @returns the surprises in it */
  forget(): string[] {
    const { surprises } = this;
    this.#program.forget();
    return surprises;
  }

  /** In MB. */
  get residentMemory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))![1]) / 1024;
  }

  /** In bytes, after a garbage collection. The replica was started with `collect-garbage.mjs`. */
  async usedMemory(): Promise<number> {
    const printed = () => [...this.output.matchAll(/(\d+) bytes are used/g)];
    const before = printed().length;
    process.kill(this.pid, 'SIGURG');
    await eventually(async () => printed().length > before);
    return Number(printed().at(-1)![1]);
  }

  get openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
    return this.#program.stop(signal);
  }

  /** For the end of a test, whatever the state of the process. */
  async discard(): Promise<void> {
    this.caller.close();
    await this.stop('SIGKILL');
  }
}
