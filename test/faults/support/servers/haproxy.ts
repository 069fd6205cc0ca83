import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../support/eventually.js';
import { Scrape } from '../../../support/http/scrape.js';
import { keepFolder } from '../../../support/processes/keeper.js';
import { freePort, programPath } from '../../../support/processes/local-program.js';
import type { Program } from '../../../support/program.js';
import { PROXY_CONFIGURATION, startProxy } from '../../../support/site/proxy.js';

/** A configuration with a line for each replica. A comment of the configuration has the line for a third replica. */
function configurationFor(replicas: number): string {
  const text = readFileSync(PROXY_CONFIGURATION, 'utf8');
  if (replicas === 1) return changed(text, /\n {2}server petstore-2.*/, '');
  const third = /^ {2}# .*: (server petstore-3) petstore-3:3000$/m;
  return replicas === 3 ? changed(text, third, '  $1 "${REPLICA_3}"') : text;
}

function changed(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`${PROXY_CONFIGURATION} has no line that matches ${pattern}.`);
  return text.replace(pattern, replacement);
}

/** The proxy of compose.yaml in front of one, two or three services. */
export class HaProxy {
  private constructor(
    readonly port: number,
    private readonly metrics: number,
    private readonly program: Program,
  ) {}

  static isInstalled(): boolean {
    return programPath('haproxy') !== undefined;
  }

  /** `change` modifies the configuration; `limits` are the limits for one source. */
  static async start(
    services: readonly number[],
    change = (configuration: string) => configuration,
    limits: Readonly<Record<string, string>> = {},
  ): Promise<HaProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-haproxy-'));
    keepFolder(folder);
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, change(configurationFor(services.length)));
    const [port, metrics] = [await freePort(), await freePort()];
    const replicas = services.map((service, i) => [`REPLICA_${i + 1}`, `127.0.0.1:${service}`] as const);
    const addresses = { LISTEN: `127.0.0.1:${port}`, METRICS: `127.0.0.1:${metrics}` };
    const program = startProxy({ ...addresses, ...Object.fromEntries(replicas), ...limits }, file);
    const proxy = new HaProxy(port, metrics, program);
    const isUp = async () => (await proxy.replicasUp()) === services.length;
    const hasEnded = program.end().then(({ output }) => Promise.reject(new Error(output)));
    hasEnded.catch(() => undefined);
    await Promise.race([eventually(isUp), hasEnded]);
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.program.pid;
  }

  /** The whole log of the proxy. */
  get log(): string {
    return this.program.output;
  }

  /** The number of replicas that it sends requests to. */
  async replicasUp(): Promise<number> {
    const samples = (await this.#scrape()).samples('haproxy_server_status');
    const up = samples.filter(({ labels }) => labels['proxy'] === 'replicas' && labels['state'] === 'UP');
    return up.reduce((sum, { value }) => sum + value, 0);
  }

  /** How many requests the proxy has sent on a reused connection. */
  async reuses(): Promise<number> {
    const all = (await this.#scrape()).samples('haproxy_server_connection_reuses_total');
    return all.reduce((sum, { value }) => sum + value, 0);
  }

  async stop(): Promise<void> {
    await this.program.stop('SIGKILL');
  }

  #scrape(): Promise<Scrape> {
    return Scrape.of(`http://127.0.0.1:${this.metrics}/metrics`);
  }
}
