import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { AccessSettings } from '../../src/access/access.settings.js';
import { VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { compose, REPLICAS, settingsOf } from '../support/site/compose-file.js';
import { PROXY_CONFIGURATION } from '../support/site/proxy.js';

const promtool = inject('promtoolPath');
const NAMES = [...VARIABLE_NAMES, ...Object.values(AccessSettings.variables).map(([name]) => name)];
const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const proxyText = readFileSync(PROXY_CONFIGURATION, 'utf8');

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
    const { networks, volumes, profiles } = compose.services['prometheus']!;
    expect([networks, profiles]).toEqual([expect.arrayContaining(['inside']), ['monitoring']]);
    const files = volumes!.map((volume) => volume.split(':')).filter(([from]) => from!.startsWith('./'));
    expect(files.map(([from]) => existsSync(join(ROOT, from!)))).toEqual([true, true]);

    const read = parse(readFileSync(join(ROOT, 'deploy/compose/prometheus.yml'), 'utf8')) as {
      readonly rule_files: string[];
      readonly scrape_configs: { job_name: string; static_configs: [{ targets: string[] }] }[];
    };
    expect(files.map(([, to]) => to)).toContain(`/etc/prometheus/${read.rule_files[0]}`);
    const targets = Object.fromEntries(
      read.scrape_configs.map(({ job_name, static_configs: [{ targets }] }) => [job_name, targets]),
    );
    const [, proxyPort] = compose.services['proxy']!.environment!['METRICS']!.split(':');
    expect(targets).toEqual({
      petstore: REPLICAS.map((replica) => `${replica}:${settingsOf(replica).metricsPort}`),
      'petstore-proxy': [`proxy:${proxyPort}`],
    });
    expect(settingsOf(REPLICAS[0]!).metricsHost).toBe('0.0.0.0');
  });

  it.skipIf(promtool === undefined)('brings a configuration that Prometheus accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'));
    for (const file of ['deploy/compose/prometheus.yml', 'docs/operations/alerts.yml'])
      cpSync(join(ROOT, file), join(folder, basename(file)));
    const said = execFileSync(promtool!, ['check', 'config', join(folder, 'prometheus.yml')], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(said).toContain('prometheus.yml is valid prometheus config file syntax');
  });
});
