import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LOCK = resolve(import.meta.dirname, '../../../package-lock.json');
const { PATH = '', HOME = '' } = process.env;

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Wanted by development, and an option of what runs: TypeScript. */
  readonly devOptional?: boolean;
}

/** Each package that is shipped, by where it lies: its version, as the lock has it. */
export function lockedVersions(): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Locked> };
  const shipped = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) =>
      /^node_modules\/(?!@petstore\/)/.test(path) && !dev && !optional && !devOptional,
  );
  return Object.fromEntries(shipped.map(([path, { version }]) => [path, version]));
}

/** The same of what is installed in a folder. */
export function installedVersions(app: string): Record<string, string> {
  const files = readdirSync(join(app, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const paths = files
    .map((file) => `node_modules/${file}`)
    .filter((file) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+package\.json$/.test(file))
    .map((file) => dirname(file));
  return Object.fromEntries(paths.map((path) => [path, versionIn(join(app, path))]));
}

const versionIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** `name@version` of each, once. */
export const namesOf = (versions: Record<string, string>): string[] => [
  ...new Set(
    Object.entries(versions).map(([path, version]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  ),
];

/** What `npm sbom` says of a folder; it fails if anything is missing, invalid or too much. */
export function billOfMaterials(app: string): string[] {
  const args = ['sbom', '--prefix', app, '--sbom-format', 'cyclonedx', '--offline'];
  const output = execFileSync('npm', args, {
    cwd: app,
    env: { PATH, HOME },
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const { components } = JSON.parse(output) as { components: { name: string; version: string }[] };
  return components.map(({ name, version }) => `${name}@${version}`);
}
