import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBuilt } from '../built-service.js';
import { eventually } from '../eventually.js';
import { forgetFolder, keepFolder } from '../processes/keeper.js';
import { freePort, programPath } from '../processes/local-program.js';
import { MariaDbServer } from '../databases/mariadb-server.js';
import { Program } from '../program.js';
import { RedisServer } from '../databases/redis-server.js';
import { SmallDisk } from '../databases/small-disk.js';
import { compose } from './compose-file.js';
import { startProxy } from './proxy.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * The alert rules of the repository with compressed durations, a minute as 1 s, an hour as 10 s, a day as 20 s: Prometheus
 * cannot be given another clock, and a test cannot wait for six hours. Thresholds of measured values stay unchanged.
 */
const SECONDS: Readonly<Record<string, number>> = { m: 1, h: 10, d: 20 };
const compressed = (rules: string) =>
  rules
    .replaceAll(/(\[|offset |for: )(\d+)([mhd])\b/g, (_, before: string, count: string, unit: string) => {
      return `${before}${Number(count) * SECONDS[unit]!}s`;
    })
    .replaceAll('for: 30s', 'for: 1s');

/** The programs besides MariaDB and Redis, each of which can be killed and launched again. */
type Part = 'replica 1' | 'replica 2' | 'proxy' | 'node_exporter' | 'prometheus';

/**
 * Two replicas with MariaDB and Redis behind the proxy of `deploy/compose`, two clients, and Prometheus with the alert rules,
 * which also monitors a database host with its own disk.
 */
export class MonitoredSite {
  #launches!: Readonly<Record<Part, () => Program>>;
  readonly #running = new Map<Part, Program>();
  #traffic: Promise<unknown> | undefined;
  #isOver = false;
  #monitor = '';
  readonly #secret = 'bootstrap-key-of-the-monitored-site';
  /** The origin of the proxy, to which clients send requests. */
  origin = '';

  private constructor(
    readonly folder: string,
    readonly mariaDb: MariaDbServer,
    public redis: RedisServer,
    /** The disk of the database host; the data are stored elsewhere. */
    readonly disk: SmallDisk,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static isInstalled(): boolean {
    const programs = ['haproxy', 'mariadb-dump', 'prometheus', 'prometheus-node-exporter'].map(programPath);
    const servers = MariaDbServer.isInstalled() && RedisServer.isInstalled();
    return programs.every(Boolean) && servers && SmallDisk.isPossible();
  }

  /** The service must be built. `settings` are environment variables of its replicas. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<MonitoredSite> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-site-'));
    keepFolder(folder);
    const [mariaDb, redis] = await Promise.all([MariaDbServer.start(), RedisServer.start()]);
    await mariaDb.query('CREATE DATABASE petstore', 'CREATE USER app', 'GRANT ALL ON petstore.* TO app');
    const site = new MonitoredSite(folder, mariaDb, redis, await SmallDisk.create('2m'), settings);
    await site.#begin();
    return site;
  }

  get authorization(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.#secret}` };
  }

  launch(part: Part): Program {
    const program = this.#launches[part]();
    this.#running.set(part, program);
    return program;
  }

  kill(part: Part) {
    return this.#running.get(part)!.stop('SIGKILL');
  }

  /** From now on the log of this part is not read, and it has a line for every request. */
  leaveLogOf(part: Part): void {
    this.#running.get(part)!.stopReading('stderr');
    process.kill(this.pidOf(part), 'SIGUSR2');
  }

  pidOf(part: Part): number {
    return this.#running.get(part)!.pid;
  }

  /** Backs up the database, and writes the metric of the last success as alerts.yml explains. */
  async backUp(): Promise<void> {
    const script =
      '"$0" --host=127.0.0.1 --port=$1 --user=root --single-transaction petstore > petstore.sql && ' +
      'echo "backup_last_success_timestamp_seconds $(date +%s)" > backup.prom';
    const args = ['-c', script, programPath('mariadb-dump')!, String(this.mariaDb.port)];
    const { code, output } = await Program.run('/bin/sh', args, {}, this.folder).end();
    if (code !== 0) throw new Error(output);
  }

  /** The alerts that are firing now. */
  async ringing(): Promise<string[]> {
    const { alerts } = await this.#asked<{ alerts: { state: string; labels: { alertname: string } }[] }>(
      'alerts',
    );
    const firing = alerts.filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
  }

  /** Waits until each of these alerts has fired, at the same time or not. */
  async rings(...names: string[]): Promise<void> {
    const awaited = new Set(names);
    await eventually(async () => {
      for (const name of await this.ringing()) awaited.delete(name);
      return awaited.size === 0;
    });
  }

  /** Waits until none of these alerts fires. Others, with longer windows, may still fire. */
  async endsRinging(...names: string[]): Promise<void> {
    await eventually(async () => {
      const now = await this.ringing();
      return !names.some((name) => now.includes(name));
    });
  }

  /** The alerts of the rules, and which of them have fired in the last hour. */
  async alerts(): Promise<{ readonly all: string[]; readonly raised: string[] }> {
    const { groups } = await this.#asked<{ groups: { rules: { name: string }[] }[] }>('rules?type=alert');
    const { result } = await this.#asked<{ result: { metric: { alertname: string } }[] }>(
      `query?query=${encodeURIComponent('count by (alertname) (last_over_time(ALERTS{alertstate="firing"}[1h]))')}`,
    );
    return {
      all: groups.flatMap(({ rules }) => rules.map(({ name }) => name)).toSorted(),
      raised: result.map(({ metric }) => metric.alertname).toSorted(),
    };
  }

  isQuiet(): Promise<void> {
    return eventually(async () => (await this.ringing()).length === 0);
  }

  /** Waits until Prometheus has scraped each target five times, since before that metrics are absent, and no alert fires. */
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
    const running = [...this.#running.values()].filter(({ isRunning }) => isRunning);
    await Promise.all(running.map((program) => program.stop('SIGKILL')));
    await Promise.all([this.mariaDb.stop(), this.redis.stop()]);
    this.disk.remove();
    rmSync(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }

  async #begin(): Promise<void> {
    const at = async () => `127.0.0.1:${await freePort()}`;
    const [listen, one, two] = [await at(), await at(), await at()];
    // The addresses of the metrics endpoints, and of Prometheus' own API.
    const [metrics1, metrics2, proxy, machine, web] = [
      await at(),
      await at(),
      await at(),
      await at(),
      await at(),
    ];
    this.origin = `http://${listen}`;
    this.#monitor = `http://${web}`;
    this.#launches = {
      'replica 1': () => this.#replica(one, metrics1),
      'replica 2': () => this.#replica(two, metrics2),
      proxy: () => startProxy({ LISTEN: listen, METRICS: proxy, REPLICA_1: one, REPLICA_2: two }),
      node_exporter: () => this.#nodeExporter(machine),
      prometheus: () =>
        this.#program('prometheus', [
          '--config.file=prometheus.yml',
          '--storage.tsdb.path=data',
          `--web.listen-address=${web}`,
        ]),
    };
    await Promise.all(
      (['replica 1', 'replica 2'] as const).map((replica) => this.launch(replica).printed(/Pet Store +http/)),
    );
    await this.backUp();
    this.launch('proxy');
    this.launch('node_exporter');
    await this.#watch({
      petstore: [metrics1, metrics2],
      'petstore-proxy': [proxy],
      'petstore-database': [machine],
    });
    this.#traffic = Promise.all([this.#client(), this.#client()]);
  }

  #replica(address: string, metrics: string): Program {
    const environment = {
      DATABASE_URL: this.mariaDb.url('petstore', 'app'),
      REDIS_URL: this.redis.url,
      PORT: portOf(address),
      METRICS_PORT: portOf(metrics),
      BOOTSTRAP_API_KEY: this.#secret,
      MIGRATE_ON_START: 'true',
      LOG_LEVEL: 'error',
      ...this.settings,
    };
    return startBuilt(environment, this.folder);
  }

  /** It reports the disks that process 1 sees, so that entry links to a process that sees the small disk. */
  #nodeExporter(address: string): Program {
    const [enter, ...args] = this.disk.command;
    const processes = join(this.folder, 'proc');
    mkdirSync(processes, { recursive: true });
    rmSync(join(processes, '1'), { force: true });
    symlinkSync(`/proc/${this.disk.pid}`, join(processes, '1'));
    return this.#program(enter!, [
      ...args,
      programPath('prometheus-node-exporter')!,
      ...compose.services['node-exporter']!.command!.map((one) => one.replace('/backups', this.folder)),
      `--path.procfs=${processes}`,
      `--web.listen-address=${address}`,
    ]);
  }

  async #watch(jobs: Readonly<Record<string, readonly string[]>>): Promise<void> {
    for (const file of ['alerts.yml', 'alerts-haproxy.yml', 'alerts-database.yml']) {
      const rules = readFileSync(join(ROOT, 'docs/operations', file), 'utf8');
      writeFileSync(join(this.folder, file), compressed(rules));
    }
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts*.yml'],
      scrape_configs: Object.entries(jobs).map(([name, targets]) => ({
        job_name: name,
        static_configs: [{ targets }],
        // Excludes the other disks of this machine, whose usage is unknown.
        metric_relabel_configs: [
          { source_labels: ['mountpoint'], regex: `|${this.disk.folder}`, action: 'keep' },
        ],
      })),
    };
    // JSON is valid YAML.
    writeFileSync(join(this.folder, 'prometheus.yml'), JSON.stringify(config));
    const ended = this.launch('prometheus')
      .end()
      .then(({ output }) => Promise.reject(new Error(output)));
    await Promise.race([eventually(async () => (await fetch(`${this.#monitor}/-/ready`)).ok), ended]);
    ended.catch(() => undefined);
  }

  #program(name: string, args: string[], environment: Record<string, string> = {}): Program {
    return Program.run(programPath(name)!, args, environment, this.folder);
  }

  async #asked<Data>(what: string): Promise<Data> {
    const answer = await fetch(`${this.#monitor}/api/v1/${what}`);
    return ((await answer.json()) as { data: Data }).data;
  }

  /** Sends list and create requests in turn, whatever the response. */
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
