import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { AccessSettings } from '../../src/access/access.settings.js';
import { VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { programPath } from '../support/processes/local-program.js';
import { compose, REPLICAS, settingsOf } from '../support/site/compose-file.js';
import { PROXY_CONFIGURATION } from '../support/site/proxy.js';

const promtool = inject('promtoolPath');
const mariadbd = programPath('mariadbd');
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
  readonly messages: readonly { readonly rule: string }[];
}

describe('compose.yaml', () => {
  it('is valid by the Compose specification', () => {
    // Only the rules of the schema; the linter has many others.
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const [result] = linter.lintFiles([join(ROOT, 'compose.yaml')], false) as LintResult[];
    expect(result!.messages.filter(({ rule }) => rule.startsWith('invalid-'))).toEqual([]);
  });

  it('gives the service only settings that the service accepts', () => {
    for (const replica of [...REPLICAS, 'migration']) {
      const { environment } = compose.services[replica]!;
      expect(Object.keys(environment!).filter((name) => !NAMES.includes(name))).toEqual([]);
      expect(settingsOf(replica).production).toBe(true);
    }
  });

  it('gives each container no permission that it does not need, and limits of memory and processes', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
        pids_limit: expect.any(Number) as number,
      });
      expect(service, name).not.toHaveProperty('cap_add');
    }
    // Without capabilities, these images cannot change from root to their user.
    expect(['database', 'redis'].map((name) => compose.services[name]!.user)).toEqual(['mysql', 'redis']);
  });

  it('names each image that is not built here by its version and its digest', () => {
    const images = Object.values(compose.services).filter(({ build }) => build === undefined);
    expect(images.length).toBe(5);
    for (const { image } of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+(-alpine)?@sha256:[\da-f]{64}$/);
  });

  it('contains no secret', () => {
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

  it('has a line for each replica in the proxy', () => {
    const servers = [...proxyText.matchAll(/^ {2}server (\S+) "\$\{REPLICA_\d-(\S+):(\d+)\}"$/gm)];
    expect(servers.map(([, ...server]) => server)).toEqual(REPLICAS.map((name) => [name, name, '3000']));
  });

  it('lets Prometheus read the metrics of the replicas and of the proxy', () => {
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

  it('has a Prometheus job for each job that the alerts name', () => {
    const alerts = ALERTS.map((file) => readFileSync(join(ROOT, 'docs/operations', file), 'utf8')).join('');
    const jobs = [...alerts.matchAll(/job="([^"]+)"/g)].map(([, job]) => job);
    expect(new Set(jobs)).toEqual(new Set(prometheus.scrape_configs.map(({ job_name }) => job_name)));
  });

  it('watches the disk that holds the data', () => {
    const [data] = compose.services['database']!.volumes!;
    expect(compose.services['node-exporter']!.volumes).toContain(`${data}:ro`);
    const { metric_relabel_configs: kept } = prometheus.scrape_configs.at(-1)!;
    expect(kept).toEqual([
      { source_labels: ['mountpoint'], regex: `|${data!.split(':')[1]}`, action: 'keep' },
    ]);
  });

  it.skipIf(promtool === undefined)(
    'contains a configuration that Prometheus accepts, with an Alertmanager too',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'));
      for (const volume of compose.services['prometheus']!.volumes!) {
        const [from, to] = volume.split(':');
        if (from!.startsWith('./'))
          cpSync(join(ROOT, from!), join(folder, relative('/etc/prometheus', to!)), { recursive: true });
      }
      const file = join(folder, 'prometheus.yml');
      const withReceiver = readFileSync(file, 'utf8').replace(/^# (?=alerting: )/m, '');
      expect((parse(withReceiver) as typeof prometheus).alerting).toBeDefined();
      writeFileSync(file, withReceiver);
      const said = execFileSync(promtool!, ['check', 'config', file], { encoding: 'utf8' });
      expect(said).toContain(`SUCCESS: ${ALERTS.length} rule files found`);
      expect(said).toContain('prometheus.yml is valid prometheus config file syntax');
      rmSync(folder, { recursive: true });
    },
  );

  it.skipIf(mariadbd === undefined)('starts a database whose binary logs expire', () => {
    // The program prints the settings that it has read, and starts nothing.
    const args = ['--no-defaults', ...compose.services['database']!.command!, '--verbose', '--help'];
    const told = execFileSync(mariadbd!, args, { encoding: 'utf8', stdio: 'pipe' });
    for (const line of [/^log-bin +binlog$/m, /^sync-binlog +1$/m, /^expire-logs-days +14$/m])
      expect(told).toMatch(line);
  });
});
