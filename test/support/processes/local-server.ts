import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { keepProcess } from './keeper.js';

/** A server of this machine that can be killed, frozen and launched again with the same arguments or others. */
export class LocalServer {
  #process: ChildProcess | undefined;
  /** What it wrote to standard error since it was launched. */
  output = '';

  /** `before` are commands that put themselves before the program, such as `nsenter`, and leave it their process. */
  constructor(
    private readonly program: string,
    private readonly before: readonly string[] = [],
  ) {}

  launch(args: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
    this.output = '';
    const [command, ...rest] = [...this.before, this.program, ...args];
    const env = { ...process.env, ...environment };
    const child = spawn(command!, rest, { stdio: ['ignore', 'ignore', 'pipe'], env });
    // The end is of interest when something went wrong; a server may run for half an hour.
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

  /** Nothing is executed any more and nothing is refused: the kernel goes on to accept connections for it. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it, and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#process!, 'exit');
    this.#process!.kill(signal);
    // What is frozen takes no signal but this one and SIGKILL.
    this.thaw();
    await ended;
  }
}
