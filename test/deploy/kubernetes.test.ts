import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings, VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { PROXY_CONFIGURATION } from '../support/site/proxy.js';
import { mistakesIn, type Manifest } from './manifest-types.js';
import { all, at, files, find, manifests, POD, read } from './manifests.js';

const promtool = inject('promtoolPath');
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');

const deployment = find('Deployment', 'petstore');
const configuration = find('ConfigMap', 'petstore')['data'] as Record<string, string>;
const settings = readSettings({ ...configuration, DATABASE_URL: 'mysql://user:password@database/petstore' });

/** The jobs of Prometheus, each with the name of the pods that it scrapes. */
const JOBS = ['petstore', 'petstore-proxy'];
const rulesOf = (file: string) => readFileSync(join(ROOT, 'docs/operations', file), 'utf8');

describe('The Kubernetes manifests', () => {
  it('are valid for Kubernetes', () => {
    expect(files.length).toBeGreaterThan(5);
    expect(mistakesIn(...manifests)).toEqual([]);
  });

  it('are rejected with a misspelt field, a wrong type, or a missing field', () => {
    const text = JSON.stringify(deployment);
    const seed = (from: string, to: string) => mistakesIn(JSON.parse(text.replace(from, to)) as Manifest);
    expect(seed('readOnlyRootFilesystem', 'readOnlyRootFileSystem').join()).toMatch(/readOnlyRootFileSystem/);
    expect(seed('"periodSeconds":1', '"periodSeconds":"1"')).not.toEqual([]);
    expect(seed('"name":"petstore","image"', '"image"').join()).toMatch(/'name' is missing/);
    const route = JSON.stringify(find('HTTPRoute', 'petstore'));
    expect(mistakesIn(JSON.parse(route.replace('parentRefs', 'parentRef')) as Manifest).join()).toMatch(
      /parentRef/,
    );
  });

  it('are all listed in kustomization.yaml, except the manifest that needs the Prometheus operator', () => {
    const listed = read('kustomization.yaml')[0]!['resources'] as string[];
    expect([...listed, 'service-monitor.yaml'].toSorted()).toEqual(['../compose', ...files].toSorted());
  });

  it('set only variables that the service reads, to values that it accepts', () => {
    const inPods = [deployment, find('Job', 'petstore-migration')]
      .flatMap((one) => all(one, ...POD, 'containers'))
      .flatMap(({ env = [] }) => (env as { name: string }[]).map(({ name }) => name));
    const names = [...Object.keys(configuration), ...inPods];
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    expect(settings.production).toBe(true);
  });

  it('let the Prometheus operator find the services, under the jobs that the alerts name', () => {
    const monitor = at(find('ServiceMonitor', 'petstore'), 'spec');
    const { key, operator, values } = all(monitor, 'selector', 'matchExpressions')[0]!;
    expect([key, operator]).toEqual([at(monitor, 'jobLabel'), 'In']);
    expect(values).toEqual(JOBS);
    for (const job of JOBS)
      expect(at(find('Service', job), 'metadata', 'labels')).toEqual({ [key as string]: job });
    expect(at(monitor, 'endpoints', 0, 'port')).toBe('metrics');
  });

  it('let Prometheus find the pods without its operator, under the same jobs', () => {
    const configs = all(read('prometheus.yaml')[0], 'scrape_configs');
    expect(configs.map((config) => config['job_name'])).toEqual(JOBS);
    for (const [i, job] of JOBS.entries()) {
      const labels = at(find('Deployment', job), 'spec', 'template', 'metadata', 'labels') as Record<
        string,
        string
      >;
      const [name, label] = Object.entries(labels)[0]!;
      expect(at(configs[i], 'relabel_configs', 0)).toMatchObject({
        source_labels: [
          `__meta_kubernetes_pod_label_${name.replaceAll(/\W/g, '_')}`,
          '__meta_kubernetes_pod_container_port_name',
        ],
        regex: `${label};metrics`,
      });
    }
  });

  it.skipIf(promtool === undefined)('contain a configuration that Prometheus accepts', () => {
    // Debian builds Prometheus without the discovery of Kubernetes.
    const discovery = '    kubernetes_sd_configs: [{ role: pod }]\n';
    const config = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8').replaceAll(discovery, '');
    const folder = mkdtempSync(join(tmpdir(), 'petstore-kubernetes-'));
    const file = join(folder, 'prometheus.yaml');
    writeFileSync(file, config);
    expect(execFileSync(promtool!, ['check', 'config', file], { encoding: 'utf8' })).toContain('is valid');
    rmSync(folder, { recursive: true });
  });

  it('scrape the jobs that the alerts name, but no database', () => {
    const rules = ['alerts.yml', 'alerts-haproxy.yml'].map((file) => rulesOf(file));
    const named = rules.join().match(/(?<=job=")[^"]*/g);
    expect(new Set(named)).toEqual(new Set(JOBS));
    expect(rules.join()).not.toMatch(/\bnode_/);
    expect(rules[0]).not.toMatch(/\bhaproxy_/);
  });

  it('contain the alerts as a PrometheusRule that is written as the document says', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/deployment.md'), 'utf8');
    const commands = [...text.matchAll(/^(\{ printf .*PrometheusRule[^|]*)\| kubectl apply -f -$/gm)];
    const rules = commands.map(
      ([, command]) =>
        parse(execFileSync('sh', ['-c', command!], { cwd: ROOT, encoding: 'utf8' })) as Manifest,
    );
    expect(mistakesIn(...rules)).toEqual([]);
    expect(rules).toMatchObject([
      { metadata: { name: 'petstore' }, spec: parse(rulesOf('alerts.yml')) as object },
      { metadata: { name: 'petstore-proxy' }, spec: parse(rulesOf('alerts-haproxy.yml')) as object },
    ]);
  });

  it('contain no secret', () => {
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
    expect(Object.keys(configuration).filter((name) => /(?<!BASE)_URL|KEY/.test(name))).toEqual([]);
  });

  it('leave each pod the time to stop', () => {
    const seconds = at(deployment, ...POD, 'terminationGracePeriodSeconds') as number;
    expect(seconds * 1000).toBeGreaterThanOrEqual(settings.drainDelay + 10_000);
    // A client may take this long for the response to its last request.
    const [, longest] = /^ {2}timeout client (\d+)s$/m.exec(readFileSync(PROXY_CONFIGURATION, 'utf8'))!;
    const proxy = find('Deployment', 'petstore-proxy');
    const [, pause] = at(
      proxy,
      ...POD,
      'containers',
      0,
      'lifecycle',
      'preStop',
      'exec',
      'command',
    ) as string[];
    expect(at(proxy, ...POD, 'terminationGracePeriodSeconds')).toBeGreaterThan(
      Number(pause) + Number(longest),
    );
  });
});
