import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest;

/** Licences that only require that their text is passed on. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Record<string, string>;
}
interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
}

interface Installed {
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
}

/** The licences that a package declares: in the lock file or, for old packages, only in its package.json. */
function licencesOf(path: string, { license }: Locked): string[] {
  if (license) return license.replaceAll(/[()]/g, '').split(' OR ');
  const own = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as Installed;
  return own.license ? [own.license] : (own.licenses ?? []).map(({ type }) => type);
}

/** What is shipped, by its path. */
const { packages } = read('package-lock.json') as unknown as { packages: Record<string, Locked> };
const shipped = Object.entries(packages).filter(([path, { dev, link }]) => path && !dev && !link);

describe('The manifest of the npm package', () => {
  it('repeats the facts of the service, and has no dependencies that npm would install', () => {
    const { files, scripts, bin, exports, ...told } = read('deploy/npm/package.json') as Manifest &
      Record<string, unknown>;
    expect(read('package.json')).toMatchObject(told);
    const inApp = JSON.stringify({ bin, exports }).replaceAll('app/dist', 'dist');
    expect(read('package.json')).toMatchObject(JSON.parse(inApp) as object);
    expect(Object.keys(told).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect([files, scripts]).not.toContain(undefined);
  });

  it('compiles better-sqlite3 with the install script of better-sqlite3', () => {
    const { install } = read('deploy/npm/package.json').scripts;
    const own = read('node_modules/better-sqlite3/package.json').scripts['install']!;
    const byPath = own.replace('prebuild-install', 'node ../prebuild-install/bin.js');
    expect(install).toBe(`cd app/node_modules/better-sqlite3 && (${byPath})`);
  });

  it('supports Node.js 20.19, as each of the shipped packages does', () => {
    const refusing = shipped.filter(([, { engines }]) => !satisfies('20.19.0', engines?.node ?? '*'));
    expect(refusing.map(([path]) => path)).toEqual([]);
    expect(shipped.length).toBeGreaterThan(100);
  });

  it('contains only packages with permissive licences', () => {
    const others = shipped
      .map(([path, locked]) => ({ path, licences: licencesOf(path, locked) }))
      .filter(({ licences }) => !licences.some((licence) => PERMISSIVE.has(licence)));
    expect(others).toEqual([]);
  });
});
