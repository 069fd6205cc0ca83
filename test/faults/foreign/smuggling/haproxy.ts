import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../support/eventually.js';
import { forgetFolder, keepFolder } from '../../../support/processes/keeper.js';
import { freePort, programPath } from '../../../support/processes/local-program.js';
import type { Program } from '../../../support/program.js';
import { PROXY_CONFIGURATION, startProxy } from '../../../support/site/proxy.js';

/** A log line: the id of the request, the server it was sent to, from which port, and the victim that sent it, or `-`. */
export interface Logged {
  readonly id: string;
  readonly server: string;
  readonly port: string;
  readonly victim: string;
}

/** The proxy of compose.yaml in front of one service; it logs each request, and sets its id in `X-Request-Id`. */
export class HaProxy {
  private constructor(
    readonly port: number,
    private readonly program: Program,
  ) {}

  static isInstalled(): boolean {
    return programPath('haproxy') !== undefined;
  }

  /** `change` modifies the deployed configuration. */
  static async start(service: number, change: (configuration: string) => string): Promise<HaProxy> {
    const configuration = readFileSync(PROXY_CONFIGURATION, 'utf8')
      // A session that does not end must not keep the process running for ever.
      .replace('global\n', 'global\n  hard-stop-after 5s\n')
      // One replica, without health checks, which a busy machine could make fail.
      .replace(/\n {2}server petstore-2.*/, '')
      .replace('check inter 500ms fall 2 rise 1', '')
      .replace(
        'frontend clients\n',
        `frontend clients
  http-request del-header X-Request-Id
  http-request capture req.hdr(X-Victim) len 20
  log-format "sent %ID to %s from %bp: %ST to %[capture.req.hdr(0)]"
`,
      );
    const folder = mkdtempSync(join(tmpdir(), 'petstore-haproxy-'));
    keepFolder(folder);
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, change(configuration));
    const port = await freePort();
    const addresses = {
      LISTEN: `127.0.0.1:${port}`,
      METRICS: `127.0.0.1:${await freePort()}`,
      REPLICA_1: `127.0.0.1:${service}`,
      // What is tested is what the proxy makes of a message, not how many it takes.
      MAX_CONNECTIONS_PER_SOURCE: '100000',
      MAX_REQUESTS_PER_SOURCE: '1000000',
      MAX_UNAUTHORIZED_PER_SOURCE: '1000000',
    };
    const program = startProxy(addresses, file);
    const hasEnded = program.end().then(({ output }) => Promise.reject(new Error(output)));
    await Promise.race([
      eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok),
      hasEnded,
    ]);
    hasEnded.catch(() => undefined);
    rmSync(folder, { recursive: true });
    forgetFolder(folder);
    return new HaProxy(port, program);
  }

  get log(): Logged[] {
    const lines = this.program.output.matchAll(/sent (\S+) to (\S+) from (\S+): \d+ to (\S+)$/gm);
    return [...lines].map(([, id, server, port, victim]) => ({
      id: id!,
      server: server!,
      port: port!,
      victim: victim!,
    }));
  }

  get pid(): number {
    return this.program.pid;
  }

  /** Stops it once its last clients have disconnected; then its log is complete. */
  async end(): Promise<void> {
    await this.program.stop('SIGUSR1');
  }

  async stop(): Promise<void> {
    await this.program.stop('SIGKILL');
  }
}
