import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBuilt } from './built-service.js';
import { eventually } from './eventually.js';
import { forgetFolder, keepFolder } from './keeper.js';
import { freePort, programPath } from './local-program.js';
import { MariaDbServer } from './mariadb-server.js';
import { Program } from './program.js';
import { RedisServer } from './redis-server.js';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The rules of the repository, in a world in which a minute takes a second and an hour ten: Prometheus cannot be told another
 * time, and nobody waits for six hours. Bounds of what is measured stay as they are.
 */
const SECONDS: Readonly<Record<string, number>> = { m: 1, h: 10, d: 240 };
const compressed = (rules: string) =>
  rules
    .replaceAll(/(\[|offset |for: )(\d+)([mhd])\b/g, (_, before: string, count: string, unit: string) => {
      return `${before}${Number(count) * SECONDS[unit]!}s`;
    })
    .replaceAll('for: 30s', 'for: 1s');

/** Two replicas with MariaDB and Redis behind the proxy of `deploy/compose`, two clients, and Prometheus with the rules. */
export class MonitoredSite {
  readonly #programs: Program[] = [];
  readonly #replicas: Program[] = [];
  readonly #replicaEnvironments: Record<string, string>[] = [];
  #traffic: Promise<unknown> | undefined;
  #isOver = false;
  #monitor = '';
  /** The API key of the clients. */
  secret = 'bootstrap-key-of-the-monitored-site';
  /** Where clients ask. */
  origin = '';

  private constructor(
    readonly folder: string,
    readonly mariaDb: MariaDbServer,
    public redis: RedisServer,
  ) {}

  /** Whether this machine has what `start` needs. */
  static isInstalled(): boolean {
    const programs = [programPath('haproxy'), programPath('prometheus')];
    return programs.every(Boolean) && MariaDbServer.isInstalled() && RedisServer.isInstalled();
  }

  /** The service must be built. */
  static async start(): Promise<MonitoredSite> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-site-'));
    keepFolder(folder);
    const [mariaDb, redis] = await Promise.all([MariaDbServer.start(), RedisServer.start()]);
    await mariaDb.query('CREATE DATABASE petstore', 'CREATE USER app', 'GRANT ALL ON petstore.* TO app');
    const site = new MonitoredSite(folder, mariaDb, redis);
    await site.#begin();
    return site;
  }

  /** What commands are told of the site. */
  get environment(): Record<string, string> {
    return { DATABASE_URL: this.mariaDb.url('petstore', 'app'), REDIS_URL: this.redis.url };
  }

  get authorization(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.secret}` };
  }

  /** Starts a replica, the first (0) or the second (1), again. */
  serve(i: number): Program {
    const program = startBuilt(this.#replicaEnvironments[i]!, this.folder);
    this.#replicas[i] = program;
    this.#programs.push(program);
    return program;
  }

  killReplica(i: number) {
    return this.#replicas[i]!.stop('SIGKILL');
  }

  /** The alerts that are raised now. */
  async ringing(): Promise<string[]> {
    const { alerts } = await this.#asked<{ alerts: { state: string; labels: { alertname: string } }[] }>(
      'alerts',
    );
    const firing = alerts.filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
  }

  rings(...names: string[]): Promise<void> {
    return eventually(async () => {
      const now = await this.ringing();
      return names.every((name) => now.includes(name));
    });
  }

  isQuiet(): Promise<void> {
    return eventually(async () => (await this.ringing()).length === 0);
  }

  /** Until Prometheus has looked a few times everything is absent. */
  async isKnown(): Promise<void> {
    await eventually(async () => {
      const { result } = await this.#asked<{ result: { value: [number, string] }[] }>(
        'query?query=min(sum_over_time(up[10s]))',
      );
      return Number(result[0]!.value[1]) >= 5;
    });
    await this.isQuiet();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#traffic;
    await Promise.all(this.#programs.map((program) => program.isRunning && program.stop('SIGKILL')));
    await Promise.all([this.mariaDb.stop(), this.redis.stop()]);
    forgetFolder(this.folder);
  }

  async #begin(): Promise<void> {
    const ports = await Promise.all(Array.from({ length: 7 }, () => freePort()));
    const [listen, proxyMetrics, web, ...own] = ports.map((port) => `127.0.0.1:${port}`) as [
      string,
      string,
      string,
    ];
    const [one, two, ...metrics] = own as string[];
    for (const [i, address] of [one!, two!].entries())
      this.#replicaEnvironments.push({
        ...this.environment,
        PORT: portOf(address),
        METRICS_PORT: portOf(metrics[i]!),
        BOOTSTRAP_API_KEY: this.secret,
        MIGRATE_ON_START: 'true',
        LOG_LEVEL: 'error',
      });
    await Promise.all([0, 1].map((i) => this.serve(i).printed(/Pet Store +http/)));
    this.origin = `http://${listen}`;
    const addresses = { LISTEN: listen, METRICS: proxyMetrics, REPLICA_1: one!, REPLICA_2: two! };
    this.#run('haproxy', ['-db', '-f', join(ROOT, 'deploy/compose/haproxy.cfg')], addresses);
    await this.#watch(web, { petstore: metrics, 'petstore-proxy': [proxyMetrics] });
    this.#traffic = Promise.all([this.#client(), this.#client()]);
  }

  async #watch(web: string, jobs: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const rules = readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8');
    writeFileSync(join(this.folder, 'alerts.yml'), compressed(rules));
    const scraped = Object.entries(jobs).map(
      ([name, targets]) =>
        `  - { job_name: ${name}, static_configs: [{ targets: ${JSON.stringify(targets)} }] }\n`,
    );
    writeFileSync(
      join(this.folder, 'prometheus.yml'),
      'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }\n' +
        `scrape_configs:\n${scraped.join('')}rule_files: [alerts.yml]\n`,
    );
    const options = [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=${web}`,
    ];
    const program = this.#run('prometheus', options);
    this.#monitor = `http://${web}`;
    const ended = program.end().then(({ output }) => Promise.reject(new Error(output)));
    await Promise.race([eventually(async () => (await fetch(`${this.#monitor}/-/ready`)).ok), ended]);
    ended.catch(() => undefined);
  }

  #run(name: string, args: string[], environment: Record<string, string> = {}): Program {
    const program = Program.run(programPath(name)!, args, environment, this.folder);
    this.#programs.push(program);
    return program;
  }

  async #asked<Data>(what: string): Promise<Data> {
    const answer = await fetch(`${this.#monitor}/api/v1/${what}`);
    return ((await answer.json()) as { data: Data }).data;
  }

  /** Lists and adds in turn, whatever is answered. */
  async #client(): Promise<void> {
    const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
    for (let i = 0; !this.#isOver; i++, await sleep(20)) {
      const headers = { ...this.authorization, 'Content-Type': 'application/json' };
      const request = i % 2 ? { headers } : { headers, body, method: 'POST' };
      await fetch(`${this.origin}/v1/pets`, request)
        .then((answer) => answer.text())
        .catch(() => undefined);
    }
  }
}

const portOf = (address: string) => address.split(':')[1]!;
