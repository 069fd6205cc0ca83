import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { AccessSettings } from '../../src/access/access.settings.js';
import { VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { compose, REPLICAS, settingsOf } from '../support/site/compose-file.js';
import { PROXY_CONFIGURATION } from '../support/site/proxy.js';

const promtool = inject('promtoolPath');
const NAMES = [...VARIABLE_NAMES, ...Object.values(AccessSettings.variables).map(([name]) => name)];
const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const proxyText = readFileSync(PROXY_CONFIGURATION, 'utf8');

const ALERTS = ['alerts.yml', 'alerts-haproxy.yml', 'alerts-database.yml'];
const prometheus = parse(readFileSync(join(ROOT, 'deploy/compose/prometheus.yml'), 'utf8')) as {
  readonly alerting?: object;
  readonly scrape_configs: {
    readonly job_name: string;
    readonly static_configs: [{ readonly targets: string[] }];
    readonly metric_relabel_configs?: object[];
  }[];
};

/** The used part of dclint's result; its own types cannot be resolved by Node's rules. */
interface LintResult {
  readonly messages: readonly { readonly rule: string; readonly message: string }[];
}

/** Validates a Compose file against the schema of the Compose specification, which dclint contains. @returns the errors */
function mistakesIn(content: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-compose-'));
  try {
    writeFileSync(join(folder, 'compose.yaml'), content);
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const results = linter.lintFiles([join(folder, 'compose.yaml')], false) as LintResult[];
    return results
      .flatMap(({ messages }) => messages)
      .filter(({ rule }) => rule.startsWith('invalid-'))
      .map(({ message }) => message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('compose.yaml', () => {
  it('is what the Compose specification allows', () => {
    expect(mistakesIn(text)).toEqual([]);
  });

  it('would be refused with a misspelt word', () => {
    expect(mistakesIn(text.replace('stop_grace_period', 'stop_grace_time'))).not.toEqual([]);
  });

  it('gives the service settings that it takes', () => {
    for (const replica of [...REPLICAS, 'migration']) {
      const { environment } = compose.services[replica]!;
      expect(Object.keys(environment!).filter((name) => !NAMES.includes(name))).toEqual([]);
      expect(settingsOf(replica).production).toBe(true);
    }
  });

  it('keeps no secret', () => {
    expect(compose.services['database']!.environment!['MARIADB_PASSWORD']).toMatch(
      /^\$\{DATABASE_PASSWORD:\?/,
    );
    for (const replica of [...REPLICAS, 'migration']) {
      expect(compose.services[replica]!.environment!['DATABASE_URL']).toContain(':${DATABASE_PASSWORD:?');
    }
    expect(text).not.toMatch(/psk_|BOOTSTRAP_API_KEY/);
  });

  it('leaves each replica the time to stop', () => {
    for (const replica of REPLICAS) {
      const grace = Number.parseInt(compose.services[replica]!.stop_grace_period!);
      expect(grace * 1000).toBeGreaterThanOrEqual(settingsOf(replica).drainDelay + 10_000);
    }
  });

  it('bounds the log of each service', () => {
    for (const { logging } of Object.values(compose.services)) {
      expect(logging).toEqual({ driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } });
    }
  });

  it('has a line for each replica in the proxy, which needs no more rights than they', () => {
    const servers = [...proxyText.matchAll(/^ {2}server (\S+) "\$\{REPLICA_\d-(\S+):(\d+)\}"$/gm)];
    expect(servers.map(([, ...server]) => server)).toEqual(REPLICAS.map((name) => [name, name, '3000']));
    const { cap_drop, security_opt, read_only } = compose.services['proxy']!;
    expect({ cap_drop, security_opt, read_only }).toEqual({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
    });
  });

  it('lets Prometheus read the metrics of the replicas and of the proxy, and the alerts', () => {
    for (const name of ['prometheus', 'node-exporter']) {
      const { networks, profiles } = compose.services[name]!;
      expect([networks, profiles]).toEqual([expect.arrayContaining(['inside']), ['monitoring']]);
    }
    const targets = Object.fromEntries(
      prometheus.scrape_configs.map(({ job_name, static_configs: [{ targets }] }) => [job_name, targets]),
    );
    const [, proxyPort] = compose.services['proxy']!.environment!['METRICS']!.split(':');
    expect(targets).toEqual({
      petstore: REPLICAS.map((replica) => `${replica}:${settingsOf(replica).metricsPort}`),
      'petstore-proxy': [`proxy:${proxyPort}`],
      'petstore-database': ['node-exporter:9100'],
    });
    expect(settingsOf(REPLICAS[0]!).metricsHost).toBe('0.0.0.0');
  });

  it('has a job of Prometheus for each that the alerts are about', () => {
    const alerts = ALERTS.map((file) => readFileSync(join(ROOT, 'docs/operations', file), 'utf8')).join('');
    const jobs = [...alerts.matchAll(/job="([^"]+)"/g)].map(([, job]) => job);
    expect(new Set(jobs)).toEqual(new Set(prometheus.scrape_configs.map(({ job_name }) => job_name)));
  });

  it('watches the disk that the data are on', () => {
    const [data] = compose.services['database']!.volumes!;
    expect(compose.services['node-exporter']!.volumes).toContain(`${data}:ro`);
    const { metric_relabel_configs: kept } = prometheus.scrape_configs.at(-1)!;
    expect(kept).toEqual([
      { source_labels: ['mountpoint'], regex: `|${data!.split(':')[1]}`, action: 'keep' },
    ]);
  });

  it('keeps metrics for as long as the document asks for them', () => {
    const daysAfter = (before: RegExp, content: string) =>
      [...content.matchAll(new RegExp(`${before.source}(\\d+)d`, 'g'))].map(([, days]) => Number(days));
    const asked = daysAfter(/\[/, readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'));
    const [kept] = daysAfter(/retention\.time=/, compose.services['prometheus']!.command!.join(' '));
    expect(asked).toContain(30);
    expect(kept).toBeGreaterThan(Math.max(...asked));
  });

  it.skipIf(promtool === undefined)(
    'brings a configuration that Prometheus accepts, with an Alertmanager too',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'));
      for (const volume of compose.services['prometheus']!.volumes!) {
        const [from, to] = volume.split(':');
        if (from!.startsWith('./'))
          cpSync(join(ROOT, from!), join(folder, relative('/etc/prometheus', to!)), { recursive: true });
      }
      const file = join(folder, 'prometheus.yml');
      const said = () => execFileSync(promtool!, ['check', 'config', file], { encoding: 'utf8' });
      const found = [
        `SUCCESS: ${ALERTS.length} rule files found`,
        'prometheus.yml is valid prometheus config file syntax',
      ];
      for (const one of found) expect(said()).toContain(one);

      const withReceiver = readFileSync(file, 'utf8').replace(/^# (?=alerting: )/m, '');
      expect((parse(withReceiver) as typeof prometheus).alerting).toBeDefined();
      writeFileSync(file, withReceiver);
      for (const one of found) expect(said()).toContain(one);
      rmSync(folder, { recursive: true });
    },
  );

  it.skipIf(!MariaDbServer.isInstalled())('starts a database whose binary logs end', async () => {
    const server = await MariaDbServer.start(...compose.services['database']!.command!);
    const [logs] = await server.query(
      'SELECT @@log_bin AS has_log, @@sync_binlog AS sync, @@expire_logs_days AS days',
    );
    await server.stop();
    expect(logs).toEqual({ has_log: 1, sync: 1, days: 14 });
  });
});
