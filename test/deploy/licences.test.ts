import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
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

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly license?: string;
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

it('every package that the service runs on may be used for any purpose', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const production = Object.entries(lock.packages).filter(([path, { dev, link }]) => path && !dev && !link);
  const others = production
    .map(([path, locked]) => ({ path, licences: licencesOf(path, locked) }))
    .filter(({ licences }) => !licences.some((licence) => PERMISSIVE.has(licence)));
  expect(others).toEqual([]);
  expect(production.length).toBeGreaterThan(100);
});
