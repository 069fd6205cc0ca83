import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DIST } from '../../support/built-service.js';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';
import { Program } from '../../support/program.js';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-not-built-'));
  keepFolder(folder);
  const isWanted = (path: string) => !path.startsWith(join(DIST, 'site'));
  cpSync(DIST, join(folder, 'dist'), { recursive: true, filter: isWanted });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  forgetFolder(folder);
});

it('A service whose pages are not built logs one sentence about it, and serves everything else', async () => {
  const environment = { PORT: '0', DATABASE_URL: 'sqlite::memory:' };
  const service = Program.start(join(folder, 'dist/main.js'), [], environment, folder);
  const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
  const browser = { headers: { Accept: 'text/html' } };
  for (const path of ['/docs', '/docs/pages.css', '/nothing']) {
    const answer = await fetch(origin + path, browser);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  }
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(401);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  const { code, output } = await service.stop();
  expect(code).toBe(0);
  const warnings = output.split('\n').filter((line) => line.includes('not built'));
  expect(warnings).toEqual([
    expect.stringContaining('because they are not built: npm run build makes them.'),
  ]);
  expect(output).not.toContain('    at ');
});
