import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/platform/config/settings.js';
import { compose } from '../support/site/compose-file.js';
import { PROXY_CONFIGURATION } from '../support/site/proxy.js';
import { all, at, find, manifests, nameOf, ofKind, POD } from './manifests.js';

type Labels = Readonly<Record<string, string>>;
interface Peer {
  readonly podSelector?: { readonly matchLabels: Labels };
  readonly namespaceSelector?: { readonly matchLabels: Labels };
  readonly ipBlock?: { readonly cidr: string };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string; readonly protocol: string }[];
}

const NAME = 'app.kubernetes.io/name';
const proxyText = readFileSync(PROXY_CONFIGURATION, 'utf8');
const variables = find('ConfigMap', 'petstore')['data'] as Record<string, string>;
const settings = readSettings({ ...variables, DATABASE_URL: 'mysql://user:password@database/petstore' });

const pods = ['Deployment', 'Job'].flatMap(ofKind);
const labelsOf = (pod: unknown) => at(pod, 'spec', 'template', 'metadata', 'labels') as Labels;
const portsOf = (pod: unknown) => all(pod, ...POD, 'containers').flatMap((one) => all(one, 'ports'));
const selectedBy = (labels: Labels) =>
  pods.filter((pod) => Object.entries(labels).every(([name, value]) => labelsOf(pod)[name] === value));
const namespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const rulesOf = (name: string, direction: 'ingress' | 'egress') =>
  at(find('NetworkPolicy', name), 'spec', direction) as Rule[];

/** The value of a variable of the proxy's container. */
const proxy = find('Deployment', 'petstore-proxy');
const valueOf = (name: string) =>
  all(proxy, ...POD, 'containers', 0, 'env').find((one) => one['name'] === name)?.['value'];

describe('What the Kubernetes manifests refer to exists:', () => {
  it('ConfigMaps, except that Secrets are created by hand', () => {
    const generator = parse(
      readFileSync(join(dirname(PROXY_CONFIGURATION), 'kustomization.yaml'), 'utf8'),
    ) as object;
    expect(at(generator, 'configMapGenerator')).toEqual([{ name: 'petstore-proxy', files: ['haproxy.cfg'] }]);
    const existing = [...ofKind('ConfigMap').map(nameOf), 'petstore-proxy'];
    const sources = pods
      .flatMap((pod) => all(pod, ...POD, 'containers'))
      .flatMap((one) => all(one, 'envFrom'));
    const volumes = pods.flatMap((pod) => all(pod, ...POD, 'volumes'));
    const named = [
      ...sources.map((one) => at(one, 'configMapRef', 'name')),
      ...volumes.map((one) => at(one, 'configMap', 'name')),
    ].filter((name) => name !== undefined);
    expect(new Set(named)).toEqual(new Set(existing));
    for (const pod of pods)
      for (const mount of all(pod, ...POD, 'containers').flatMap((one) => all(one, 'volumeMounts')))
        expect(all(pod, ...POD, 'volumes').map((one) => one['name'])).toContain(mount['name']);
  });

  it('the pods and ports of each Service', () => {
    for (const service of ofKind('Service')) {
      const found = selectedBy(at(service, 'spec', 'selector') as Labels);
      expect(found.map(nameOf)).toEqual([nameOf(service)]);
      const names = portsOf(found[0]).map((one) => one['name']);
      for (const { name, targetPort } of all(service, 'spec', 'ports')) {
        expect(name).toBe(targetPort);
        expect(names).toContain(targetPort);
      }
    }
  });

  it('the pods of each selector, and the ports of each probe', () => {
    for (const one of [...ofKind('Deployment'), ...ofKind('PodDisruptionBudget')]) {
      const found = selectedBy(at(one, 'spec', 'selector', 'matchLabels') as Labels);
      expect(found.map(nameOf)).toEqual([nameOf(one)]);
    }
    for (const pod of pods) {
      const named = JSON.stringify(pod).matchAll(/"httpGet":\{"path":"[^"]*","port":"([^"]*)"/g);
      for (const [, port] of named) expect(portsOf(pod).map((one) => one['name'])).toContain(port);
    }
    const { scaleTargetRef } = find('HorizontalPodAutoscaler', 'petstore')['spec'] as {
      scaleTargetRef: { kind: string; name: string };
    };
    find(scaleTargetRef.kind, scaleTargetRef.name);
  });

  it('the pods and the ports of each NetworkPolicy', () => {
    const policies = ofKind('NetworkPolicy');
    const covered = policies.flatMap((one) =>
      selectedBy(at(one, 'spec', 'podSelector', 'matchLabels') as Labels),
    );
    expect(covered.map(nameOf).toSorted()).toEqual(pods.map(nameOf).toSorted());
    for (const policy of policies) {
      const own = selectedBy(at(policy, 'spec', 'podSelector', 'matchLabels') as Labels);
      for (const { ports } of rulesOf(nameOf(policy), 'ingress'))
        for (const { port } of ports!) expect(own.flatMap(portsOf).map((one) => one['name'])).toContain(port);
      for (const direction of ['ingress', 'egress'] as const)
        for (const { from = [], to = [] } of rulesOf(nameOf(policy), direction))
          for (const { podSelector, namespaceSelector } of [...from, ...to])
            if (!namespaceSelector && podSelector)
              expect(selectedBy(podSelector.matchLabels)).not.toEqual([]);
    }
  });

  it('the Gateway, the Service and the host of the route', () => {
    const [route, gateway] = [find('HTTPRoute', 'petstore'), find('Gateway', 'petstore')];
    const { hostname, protocol } = new URL(settings.baseUrl!);
    expect([protocol, at(route, 'spec', 'hostnames')]).toEqual(['https:', [hostname]]);
    const [listener] = all(gateway, 'spec', 'listeners');
    expect(listener).toMatchObject({ hostname, port: 443, protocol: 'HTTPS' });
    expect(at(route, 'spec', 'parentRefs')).toEqual([
      { name: nameOf(gateway), sectionName: listener!['name'] },
    ]);
    const { name, port } = at(route, 'spec', 'rules', 0, 'backendRefs', 0) as { name: string; port: number };
    expect(all(find('Service', name), 'spec', 'ports')).toContainEqual({
      name: 'http',
      port,
      targetPort: 'http',
    });
  });
});

describe('In Kubernetes', () => {
  it('the proxy has the configuration and the image of Compose, and a server for each replica', () => {
    const [container] = all(proxy, ...POD, 'containers');
    expect(container!['image']).toBe(compose.services['proxy']!.image);
    const mounted = at(container, 'volumeMounts', 0, 'mountPath') as string;
    expect(compose.services['proxy']!.volumes![0]).toContain(`:${mounted}/haproxy.cfg:`);
    for (const { name } of all(container, 'env'))
      expect(`${proxyText} NAMESPACE`).toMatch(new RegExp(`\\b${name as string}\\b`));
    const [host, port] = (valueOf('REPLICAS') as string).split(':');
    expect(host).toMatch(/^petstore\.\$\(NAMESPACE\)\.svc\./);
    expect(at(find('Service', 'petstore'), 'spec', 'clusterIP')).toBe('None');
    expect(portsOf(find('Deployment', 'petstore'))).toContainEqual({
      name: 'http',
      containerPort: Number(port),
    });
    const [, servers] = /server-template petstore- 1-(\d+) /.exec(proxyText)!;
    expect(at(find('HorizontalPodAutoscaler', 'petstore'), 'spec', 'maxReplicas')).toBe(Number(servers));
    const [listen, metrics] = ['LISTEN', 'METRICS'].map((name) =>
      Number((valueOf(name) as string).split(':')[1]),
    );
    expect(portsOf(proxy)).toEqual([
      { name: 'http', containerPort: listen },
      { name: 'metrics', containerPort: metrics },
    ]);
  });

  it('only the gateway reaches the proxy, only the proxy reaches the service, and Prometheus reads the metrics of both', () => {
    const rule = (from: Peer, port: string) => ({ from: [from], ports: [{ protocol: 'TCP', port }] });
    const prometheus = rule({ namespaceSelector: namespace('monitoring') }, 'metrics');
    expect(rulesOf('petstore-proxy', 'ingress')).toEqual([
      rule({ namespaceSelector: namespace('envoy-gateway-system') }, 'http'),
      prometheus,
    ]);
    expect(rulesOf('petstore', 'ingress')).toEqual([
      rule({ podSelector: { matchLabels: { [NAME]: 'petstore-proxy' } } }, 'http'),
      prometheus,
    ]);
    expect(portsOf(find('Deployment', 'petstore'))).toContainEqual({
      name: 'metrics',
      containerPort: settings.metricsPort,
    });
    expect(settings.metricsHost).toBe('0.0.0.0');
    expect([valueOf('BEHIND_PROXY'), settings.trustProxy]).toEqual(['1', 1]);
  });

  it('pods reach only destinations that are named', () => {
    const rules = ofKind('NetworkPolicy').flatMap((one) => rulesOf(nameOf(one), 'egress'));
    for (const { to, ports } of rules) {
      expect(to?.length).toBeGreaterThan(0);
      expect(ports?.length).toBeGreaterThan(0);
      for (const { ipBlock } of to!) expect(ipBlock?.cidr ?? '/32').toMatch(/\/32$/);
    }
    const reached = rulesOf('petstore', 'egress').flatMap(({ ports }) => ports!.map(({ port }) => port));
    expect(reached).toEqual([53, 53, 3306, 6379, 4318]);
  });

  it('every container has a limit of memory, and no more permissions than it needs', () => {
    expect(manifests.length).toBeGreaterThan(10);
    for (const pod of pods) {
      expect(at(pod, ...POD, 'securityContext')).toMatchObject({ runAsNonRoot: true });
      for (const container of all(pod, ...POD, 'containers')) {
        expect(at(container, 'resources', 'limits', 'memory')).toBeDefined();
        expect(container['securityContext']).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });
});
