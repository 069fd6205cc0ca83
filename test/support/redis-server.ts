import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, programPath } from './local-program.js';

/** A Redis of our own, in memory, on a free port. */
export class RedisServer {
  private constructor(
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  static isInstalled(): boolean {
    return programPath('redis-server') !== undefined;
  }

  /** Starts one, on a given port if another one was there before. */
  static async start(port?: number): Promise<RedisServer> {
    const at = port ?? (await freePort());
    const options = ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const process = spawn(programPath('redis-server')!, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    while (!output.includes('Ready to accept connections')) {
      output += String((await once(process.stdout!, 'data'))[0]);
    }
    return new RedisServer(at, process);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}
