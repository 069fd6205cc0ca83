import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { freePort, programPath } from '../processes/local-program.js';
import { LocalServer } from '../processes/local-server.js';

/** A private Redis server, in memory, on a free port. */
export class RedisServer extends LocalServer {
  private constructor(readonly port: number) {
    super(programPath('redis-server')!);
  }

  static isInstalled(): boolean {
    return programPath('redis-server') !== undefined;
  }

  /** Starts one, on a free port or on `port`, such as that of a stopped one. */
  static async start(port?: number): Promise<RedisServer> {
    const at = port ?? (await freePort());
    const server = new RedisServer(at);
    server.run(['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']);
    await eventually(async () => {
      // Ends the wait if it has exited.
      if (!server.isRunning) return;
      const socket = connect(at, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
    if (!server.isRunning) throw new Error(`Redis has ended:\n${server.output}`);
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Sends a command of an administrator to Redis. @returns the response */
  async ask(...[command, ...words]: string[]): Promise<unknown> {
    const client = new Redis(this.url);
    const answer = await client.call(command!, ...words);
    client.disconnect();
    return answer;
  }

  stop(): Promise<void> {
    return this.kill('SIGTERM');
  }
}
