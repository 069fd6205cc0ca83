import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { keepProcess } from './keeper.js';

/** A server process on this machine that can be killed, frozen and run again with the same or other arguments. */
export class LocalServer {
  #process: ChildProcess | undefined;
  /** What it wrote to standard error since it was run; only the end of a long text. */
  output = '';
  environment: Readonly<Record<string, string>> = {};

  /** `before` is a command prefix, such as `nsenter`, that executes the program in its own process. */
  constructor(
    private readonly program: string,
    private readonly before: readonly string[] = [],
  ) {}

  protected run(args: readonly string[]): void {
    this.output = '';
    const [command, ...rest] = [...this.before, this.program, ...args];
    const env = { ...process.env, ...this.environment };
    const child = spawn(command!, rest, { stdio: ['ignore', 'ignore', 'pipe'], env });
    // The end explains a failure; a server may run for half an hour.
    child.stderr.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-50_000)));
    keepProcess(child.pid!, once(child, 'exit'));
    this.#process = child;
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Stops its execution without closing its connections: the kernel still accepts connections for the server. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#process!, 'exit');
    this.#process!.kill(signal);
    // A frozen process reacts to no signals but SIGCONT and SIGKILL.
    this.thaw();
    await ended;
  }
}
