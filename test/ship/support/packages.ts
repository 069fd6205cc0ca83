import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LOCK = resolve(import.meta.dirname, '../../../package-lock.json');
const { PATH = '', HOME = '' } = process.env;

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** A development dependency that is also an optional dependency in production: TypeScript. */
  readonly devOptional?: boolean;
}

/** The version in the lock file of each shipped package, by path. */
export function lockedVersions(): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Locked> };
  const shipped = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) =>
      /^node_modules\/(?!@petstore\/)/.test(path) && !dev && !optional && !devOptional,
  );
  return Object.fromEntries(shipped.map(([path, { version }]) => [path, version]));
}

/** The version of each package installed in a folder, by path. */
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

/** `name@version` of each package, without duplicates. */
export const namesOf = (versions: Record<string, string>): string[] => [
  ...new Set(
    Object.entries(versions).map(([path, version]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  ),
];

/** The packages that `npm sbom` lists for a folder; fails if any is missing, invalid or extraneous. */
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
