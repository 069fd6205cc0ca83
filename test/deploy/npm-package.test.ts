import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Record<string, string>;
}
interface Locked {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

describe('What the npm package is made of', () => {
  it('says of itself what the service says, and depends on nothing that npm would have to find', () => {
    const { files, scripts, bin, exports, ...told } = read('deploy/npm/package.json') as Manifest &
      Record<string, unknown>;
    expect(read('package.json')).toMatchObject(told);
    const inApp = JSON.stringify({ bin, exports }).replaceAll('app/dist', 'dist');
    expect(read('package.json')).toMatchObject(JSON.parse(inApp) as object);
    expect(Object.keys(told).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect([files, scripts]).not.toContain(undefined);
  });

  it('compiles better-sqlite3 as that would itself', () => {
    const { install } = read('deploy/npm/package.json').scripts;
    const own = read('node_modules/better-sqlite3/package.json').scripts['install']!;
    const byPath = own.replace('prebuild-install', 'node ../prebuild-install/bin.js');
    expect(install).toBe(`cd app/node_modules/better-sqlite3 && (${byPath})`);
  });

  it('runs on Node.js 20.19, as each of its packages does', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const shipped = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    const refusing = shipped.filter(([, { engines }]) => !satisfies('20.19.0', engines?.node ?? '*'));
    expect(refusing.map(([path]) => path)).toEqual([]);
    expect(shipped.length).toBeGreaterThan(100);
  });
});
