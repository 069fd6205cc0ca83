import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { keepProcess } from './processes/keeper.js';

export interface Ending {
  readonly code: number | null;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
}

export class Program {
  /** Everything it printed so far, to either stream. */
  output = '';
  #stdout = '';
  #stderr = '';
  readonly #ended: Promise<number | null>;

  #wake = () => {};

  private constructor(private readonly process: ChildProcess) {
    const collect = (chunk: Buffer) => {
      this.output += chunk.toString();
      this.#wake();
    };
    process.stdout!.on('data', collect).on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    process.stderr!.on('data', collect).on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#ended = once(process, 'close').then(([code]) => {
      this.#wake();
      return code as number | null;
    });
  }

  /** Starts Node with `script`; of the environment of this process it inherits only PATH. */
  static start(script: string, args: string[], environment: Record<string, string>, cwd?: string): Program {
    const { PATH = '' } = process.env;
    return Program.run(process.execPath, [script, ...args], { PATH, ...environment }, cwd);
  }

  /** Starts any program, with this environment and nothing else. */
  static run(command: string, args: string[], environment: Record<string, string>, cwd?: string): Program {
    const child = spawn(command, args, { env: environment, cwd });
    // A test that times out does not stop its programs.
    if (child.pid !== undefined) keepProcess(child.pid, once(child, 'exit'));
    return new Program(child);
  }

  feed(input: string | Buffer): this {
    this.process.stdin!.end(input);
    return this;
  }

  /** Writes to its standard input, which stays open. */
  write(input: string): this {
    this.process.stdin!.write(input);
    return this;
  }

  /** Closes the read end of its standard output, as `head` does, or of its standard error. */
  stopReading(stream: 'stdout' | 'stderr' = 'stdout'): this {
    this.process[stream]!.destroy();
    return this;
  }

  /** Forgets what it has printed, except a line that has not ended. A program that prints for an hour prints more than a string holds. */
  forget(): void {
    this.output = this.output.slice(this.output.lastIndexOf('\n') + 1);
    this.#stdout = '';
    this.#stderr = '';
  }

  get pid(): number {
    return this.process.pid!;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits until its output matches the pattern; fails if it exits first. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (!this.isRunning) throw new Error(`It ended without printing ${pattern}:\n${this.output}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async end(): Promise<Ending> {
    const code = await this.#ended;
    return { code, output: this.output, stdout: this.#stdout, stderr: this.#stderr };
  }

  freeze(): void {
    this.process.kill('SIGSTOP');
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
    this.process.kill(signal);
    return this.end();
  }
}
