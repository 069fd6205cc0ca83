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

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly env?: readonly { readonly name: string }[];
    readonly ports?: readonly Port[];
  }[];
}
interface Port {
  readonly name: string;
  readonly containerPort: number;
}
interface Metadata {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}
interface ServicePort {
  readonly name: string;
  readonly targetPort: string;
}
interface Policy {
  readonly ingress: readonly {
    readonly from: readonly { readonly namespaceSelector: { readonly matchLabels: object } }[];
    readonly ports: readonly { readonly port: string }[];
  }[];
  readonly egress: readonly { readonly ports: readonly object[] }[];
}
interface Ingress {
  readonly tls: readonly { readonly hosts: readonly string[] }[];
  readonly rules: readonly {
    readonly host: string;
    readonly http: {
      readonly paths: readonly {
        readonly backend: {
          readonly service: { readonly name: string; readonly port: { readonly name: string } };
        };
      }[];
    };
  }[];
}
interface Monitor {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly jobLabel: string;
  readonly endpoints: readonly { readonly port: string }[];
}
interface Discovery {
  readonly job_name: string;
  readonly relabel_configs: readonly [{ readonly source_labels: readonly string[]; readonly regex: string }];
}
const podOf = (manifest: Manifest) => (manifest['spec'] as { template: { spec: PodSpec } }).template.spec;
const deployment = read('deployment.yaml');
const configuration = read('configuration.yaml')['data'] as Record<string, string>;
const settings = readSettings({ ...configuration, DATABASE_URL: 'mysql://user:password@database/petstore' });

describe('The Kubernetes manifests', () => {
  for (const file of files) {
    it(`are what Kubernetes allows: ${file}`, () => {
      expect(mistakesIn(read(file))).toEqual([]);
    });
  }

  it('would be refused with a misspelt field, a wrong type, or a field that is missing', () => {
    const text = JSON.stringify(read('deployment.yaml'));
    const seed = (from: string, to: string) => mistakesIn(JSON.parse(text.replace(from, to)) as Manifest);
    expect(seed('readOnlyRootFilesystem', 'readOnlyRootFileSystem').join()).toMatch(/readOnlyRootFileSystem/);
    expect(seed('"periodSeconds":1', '"periodSeconds":"1"')).not.toEqual([]);
    expect(seed('"name":"petstore","image"', '"image"').join()).toMatch(/'name' is missing/);
    const monitor = JSON.stringify(read('service-monitor.yaml')).replace('jobLabel', 'jobLable');
    expect(mistakesIn(JSON.parse(monitor) as Manifest).join()).toMatch(/jobLable/);
  });

  it('are all listed in kustomization.yaml, but for what only the Prometheus operator knows', () => {
    const listed = read('kustomization.yaml')['resources'] as string[];
    expect([...listed, 'service-monitor.yaml'].toSorted()).toEqual(files.toSorted());
  });

  it('set variables that the service reads, to values that it takes', () => {
    const inPods = ['deployment.yaml', 'migration.yaml']
      .flatMap((file) => podOf(read(file)).containers)
      .flatMap(({ env = [] }) => env.map(({ name }) => name));
    const names = [...Object.keys(configuration), ...inPods];
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    expect(settings.production).toBe(true);
  });

  it('open the port of metrics where it is, to Prometheus alone, and the way to a collector', () => {
    const ports = podOf(deployment).containers[0]!.ports!;
    expect(ports).toContainEqual({ name: 'metrics', containerPort: settings.metricsPort });
    expect(settings.metricsHost).toBe('0.0.0.0');
    const policy = read('network-policy.yaml')['spec'] as Policy;
    const namespaceOf = (name: string) =>
      policy.ingress
        .filter(({ ports }) => ports.some(({ port }) => port === name))
        .flatMap(({ from }) => from.map((one) => Object.values(one.namespaceSelector.matchLabels)));
    expect([namespaceOf('http'), namespaceOf('metrics')]).toEqual([[['ingress-nginx']], [['monitoring']]]);
    expect(policy.egress[0]!.ports).toContainEqual({ protocol: 'TCP', port: 4318 });
  });

  it('lead from the address that clients use to the pods, over TLS', () => {
    const { tls, rules } = read('ingress.yaml')['spec'] as Ingress;
    const { hostname, protocol } = new URL(settings.baseUrl!);
    expect([protocol, rules[0]!.host, tls[0]!.hosts]).toEqual(['https:', hostname, [hostname]]);
    const { service } = rules[0]!.http.paths[0]!.backend;
    expect(service.name).toBe((read('service.yaml')['metadata'] as Metadata).name);
    for (const { name, targetPort } of (read('service.yaml')['spec'] as { ports: ServicePort[] }).ports) {
      expect([name, podOf(deployment).containers[0]!.ports!.map((port) => port.name)]).toEqual([
        targetPort,
        expect.arrayContaining([targetPort]),
      ]);
    }
    expect(service.port.name).toBe('http');
  });

  it('let the Prometheus operator find the service, under the job of the alerts', () => {
    const { selector, jobLabel, endpoints } = read('service-monitor.yaml')['spec'] as Monitor;
    const { labels } = read('service.yaml')['metadata'] as Metadata;
    expect(labels).toMatchObject(selector.matchLabels);
    expect([labels![jobLabel], endpoints[0]!.port]).toEqual(['petstore', 'metrics']);
  });

  it('let Prometheus find the pods without its operator, under the same job', () => {
    const text = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8');
    const {
      scrape_configs: [config],
    } = parse(text) as { scrape_configs: [Discovery] };
    const [{ source_labels: asked, regex }] = config.relabel_configs;
    const { labels } = (deployment['spec'] as { template: { metadata: Metadata } }).template.metadata;
    const label = Object.keys(labels!).find(
      (name) => asked[0] === `__meta_kubernetes_pod_label_${name.replaceAll(/\W/g, '_')}`,
    );
    expect([config.job_name, asked[1]]).toEqual(['petstore', '__meta_kubernetes_pod_container_port_name']);
    expect(regex).toBe(`${labels![label!]};metrics`);
  });

  it.skipIf(promtool === undefined)('bring a configuration that Prometheus accepts', () => {
    // Debian builds Prometheus without the discovery of Kubernetes.
    const discovery = '    kubernetes_sd_configs: [{ role: pod }]\n';
    const [before, after] = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8').split(discovery);
    const folder = mkdtempSync(join(tmpdir(), 'petstore-kubernetes-'));
    const file = join(folder, 'prometheus.yaml');
    writeFileSync(file, before! + after!);
    expect(execFileSync(promtool!, ['check', 'config', file], { encoding: 'utf8' })).toContain('is valid');
    rmSync(folder, { recursive: true });
  });

  it('are all that the alerts are about', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8');
    expect(new Set(text.match(/(?<=job=)"[^"]*"/g))).toEqual(new Set(['"petstore"']));
    expect(text).not.toMatch(/\b(?:haproxy|node)_/);
  });

  it('make a PrometheusRule of the alerts, as the document says', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/deployment.md'), 'utf8');
    const [, command] = /^(\{ printf .*PrometheusRule[^|]*)\| kubectl apply -f -$/m.exec(text)!;
    const rule = parse(execFileSync('sh', ['-c', command!], { cwd: ROOT, encoding: 'utf8' })) as Manifest;
    expect(mistakesIn(rule)).toEqual([]);
    const alerts = parse(readFileSync(join(ROOT, 'docs/operations/alerts.yml'), 'utf8')) as object;
    expect(rule).toMatchObject({ metadata: { name: 'petstore' }, spec: alerts });
  });

  it('keep no secret', () => {
    expect(files.map((file) => read(file).kind)).not.toContain('Secret');
    expect(Object.keys(configuration).filter((name) => /(?<!BASE)_URL|KEY/.test(name))).toEqual([]);
  });

  it('leave each pod the time to stop', () => {
    const { terminationGracePeriodSeconds } = podOf(deployment);
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(settings.drainDelay + 10_000);
  });
});
