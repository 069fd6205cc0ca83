import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings, VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { type Manifest, mistakesIn } from './manifest-types.js';

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes');
const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Manifest;
const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml');

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly { readonly env?: readonly { readonly name: string }[] }[];
}
const podOf = (manifest: Manifest) => (manifest['spec'] as { template: { spec: PodSpec } }).template.spec;
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
  });

  it('are all listed in kustomization.yaml', () => {
    expect((read('kustomization.yaml')['resources'] as string[]).toSorted()).toEqual(files.toSorted());
  });

  it('set variables that the service reads, to values that it takes', () => {
    const inPods = ['deployment.yaml', 'migration.yaml']
      .flatMap((file) => podOf(read(file)).containers)
      .flatMap(({ env = [] }) => env.map(({ name }) => name));
    const names = [...Object.keys(configuration), ...inPods];
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    expect(settings.production).toBe(true);
  });

  it('keep no secret', () => {
    expect(files.map((file) => read(file).kind)).not.toContain('Secret');
    expect(Object.keys(configuration).filter((name) => /URL|KEY/.test(name))).toEqual([]);
  });

  it('leave each pod the time to stop', () => {
    const { terminationGracePeriodSeconds } = podOf(read('deployment.yaml'));
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(settings.drainDelay + 10_000);
  });
});
