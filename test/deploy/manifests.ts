import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest-types.js';

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes');

/** The manifests of a file. */
export const read = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((one) => one.toJS() as Manifest);

/** The files that have manifests of Kubernetes. */
export const files = readdirSync(FOLDER).filter(
  (file) => !['kustomization.yaml', 'prometheus.yaml'].includes(file),
);
export const manifests = files.flatMap(read);

/** The value at a path of a manifest. */
export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value);
export const all = (value: unknown, ...path: (string | number)[]): Record<string, unknown>[] =>
  (at(value, ...path) ?? []) as Record<string, unknown>[];

/** Where a Deployment or a Job has its pod. */
export const POD = ['spec', 'template', 'spec'];

export const nameOf = (manifest: Manifest) => at(manifest, 'metadata', 'name') as string;
export const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);

/** The manifest with this kind and name. */
export function find(kind: string, name: string): Manifest {
  const found = ofKind(kind).filter((one) => nameOf(one) === name);
  if (found.length !== 1) throw new Error(`There are ${found.length} manifests of a ${kind} ${name}.`);
  return found[0]!;
}
