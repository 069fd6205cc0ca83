import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings, VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { type Manifest, mistakesIn } from './manifest-types.js';

const promtool = inject('promtoolPath');
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');
const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Manifest;
const files = readdirSync(FOLDER).filter((file) => !['kustomization.yaml', 'prometheus.yaml'].includes(file));

/** The value at a path of a manifest. */
const at = (value: unknown, ...path: (string | number)[]) =>
  path.reduce((part, key) => (part as Record<string | number, unknown>)[key], value);
const all = (value: unknown, ...path: (string | number)[]) => at(value, ...path) as Record<string, unknown>[];

const POD = ['spec', 'template', 'spec'];
const deployment = read('deployment.yaml');
const ports = all(deployment, ...POD, 'containers', 0, 'ports');
const configuration = read('configuration.yaml')['data'] as Record<string, string>;
const settings = readSettings({ ...configuration, DATABASE_URL: 'mysql://user:password@database/petstore' });

describe('The Kubernetes manifests', () => {
  it('are valid for Kubernetes', () => {
    expect(files.length).toBeGreaterThan(5);
    expect(mistakesIn(...files.map(read))).toEqual([]);
  });

  it('are rejected with a misspelt field, a wrong type, or a missing field', () => {
    const text = JSON.stringify(read('deployment.yaml'));
    const seed = (from: string, to: string) => mistakesIn(JSON.parse(text.replace(from, to)) as Manifest);
    expect(seed('readOnlyRootFilesystem', 'readOnlyRootFileSystem').join()).toMatch(/readOnlyRootFileSystem/);
    expect(seed('"periodSeconds":1', '"periodSeconds":"1"')).not.toEqual([]);
    expect(seed('"name":"petstore","image"', '"image"').join()).toMatch(/'name' is missing/);
  });

  it('are all listed in kustomization.yaml, except the manifest that needs the Prometheus operator', () => {
    const listed = read('kustomization.yaml')['resources'] as string[];
    expect([...listed, 'service-monitor.yaml'].toSorted()).toEqual(files.toSorted());
  });

  it('set only variables that the service reads, to values that it accepts', () => {
    const inPods = ['deployment.yaml', 'migration.yaml']
      .flatMap((file) => all(read(file), ...POD, 'containers'))
      .flatMap(({ env = [] }) => (env as { name: string }[]).map(({ name }) => name));
    const names = [...Object.keys(configuration), ...inPods];
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    expect(settings.production).toBe(true);
  });

  it('open the port of metrics to Prometheus only, and allow traffic to a collector', () => {
    expect(ports).toContainEqual({ name: 'metrics', containerPort: settings.metricsPort });
    expect(settings.metricsHost).toBe('0.0.0.0');
    const policy = read('network-policy.yaml');
    const from = (namespace: string) => [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
    ];
    expect(at(policy, 'spec', 'ingress')).toEqual([
      { from: from('ingress-nginx'), ports: [{ protocol: 'TCP', port: 'http' }] },
      { from: from('monitoring'), ports: [{ protocol: 'TCP', port: 'metrics' }] },
    ]);
    expect(at(policy, 'spec', 'egress', 0, 'ports')).toContainEqual({ protocol: 'TCP', port: 4318 });
  });

  it('route the URL that clients use to the pods, over TLS', () => {
    const { hostname, protocol } = new URL(settings.baseUrl!);
    const spec = at(read('ingress.yaml'), 'spec');
    expect([protocol, at(spec, 'rules', 0, 'host')]).toEqual(['https:', hostname]);
    expect(at(spec, 'tls', 0, 'hosts')).toEqual([hostname]);
    expect(at(spec, 'rules', 0, 'http', 'paths', 0, 'backend', 'service')).toEqual({
      name: at(read('service.yaml'), 'metadata', 'name'),
      port: { name: 'http' },
    });
    for (const { name, targetPort } of all(read('service.yaml'), 'spec', 'ports')) {
      expect(name).toBe(targetPort);
      expect(ports.map((port) => port['name'])).toContain(targetPort);
    }
  });

  it('let the Prometheus operator find the service, under the job that the alerts name', () => {
    const monitor = at(read('service-monitor.yaml'), 'spec');
    const labels = at(read('service.yaml'), 'metadata', 'labels');
    expect(labels).toMatchObject(at(monitor, 'selector', 'matchLabels') as object);
    expect(at(labels, at(monitor, 'jobLabel') as string)).toBe('petstore');
    expect(at(monitor, 'endpoints', 0, 'port')).toBe('metrics');
  });

  it('let Prometheus find the pods without its operator, under the same job', () => {
    const config = at(parse(readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8')), 'scrape_configs', 0);
    expect(at(config, 'job_name')).toBe('petstore');
    const labels = at(deployment, 'spec', 'template', 'metadata', 'labels') as Record<string, string>;
    const [name, label] = Object.entries(labels)[0]!;
    expect(at(config, 'relabel_configs', 0)).toMatchObject({
      source_labels: [
        `__meta_kubernetes_pod_label_${name.replaceAll(/\W/g, '_')}`,
        '__meta_kubernetes_pod_container_port_name',
      ],
      regex: `${label};metrics`,
    });
  });

  it.skipIf(promtool === undefined)('contain a configuration that Prometheus accepts', () => {
    // Debian builds Prometheus without the discovery of Kubernetes.
    const discovery = '    kubernetes_sd_configs: [{ role: pod }]\n';
    const [before, after] = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8').split(discovery);
    const folder = mkdtempSync(join(tmpdir(), 'petstore-kubernetes-'));
    const file = join(folder, 'prometheus.yaml');
    writeFileSync(file, before! + after!);
    expect(execFileSync(promtool!, ['check', 'config', file], { encoding: 'utf8' })).toContain('is valid');
    rmSync(folder, { recursive: true });
  });

  it('scrape the only job that the alerts name', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8');
    expect(new Set(text.match(/(?<=job=)"[^"]*"/g))).toEqual(new Set(['"petstore"']));
    expect(text).not.toMatch(/\b(?:haproxy|node)_/);
  });

  it('contain the alerts as a PrometheusRule that is written as the document says', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/deployment.md'), 'utf8');
    const [, command] = /^(\{ printf .*PrometheusRule[^|]*)\| kubectl apply -f -$/m.exec(text)!;
    const rule = parse(execFileSync('sh', ['-c', command!], { cwd: ROOT, encoding: 'utf8' })) as Manifest;
    expect(mistakesIn(rule)).toEqual([]);
    const alerts = parse(readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8')) as object;
    expect(rule).toMatchObject({ metadata: { name: 'petstore' }, spec: alerts });
  });

  it('contain no secret', () => {
    expect(files.map((file) => read(file).kind)).not.toContain('Secret');
    expect(Object.keys(configuration).filter((name) => /(?<!BASE)_URL|KEY/.test(name))).toEqual([]);
  });

  it('leave each pod the time to stop', () => {
    const seconds = at(deployment, ...POD, 'terminationGracePeriodSeconds') as number;
    expect(seconds * 1000).toBeGreaterThanOrEqual(settings.drainDelay + 10_000);
  });
});
