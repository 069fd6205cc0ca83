import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createViteServer } from 'vitest/node';
import { needsOf } from '../../support/run/needs.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const nothing = { programs: false, pages: false, servers: false, client: false };

describe('A run of tests', () => {
  let vite: Awaited<ReturnType<typeof createViteServer>>;
  beforeAll(async () => {
    vite = await createViteServer({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, watch: null, ws: false },
      optimizeDeps: { noDiscovery: true },
    });
  });
  afterAll(() => vite.close());

  it.each([
    ['nothing for rules of the architecture', ['architecture/architecture', 'architecture/prose'], nothing],
    ['nothing for files of a deployment', ['deploy/compose', 'deploy/kubernetes'], nothing],
    ['nothing if only a type comes from a helper', ['client/answers'], nothing],
    ['a build for the steps of a deployment', ['deploy/without-containers'], { programs: true, pages: true }],
    [
      'the archive of the client for its package',
      ['client/package'],
      { pages: true, servers: true, client: true },
    ],
    ['servers for an adapter of a port', ['contract/order-repository'], { servers: true }],
    [
      'pages and servers for a service inside of the test',
      ['e2e/http/errors'],
      { pages: true, servers: true },
    ],
    [
      'everything for the built service',
      ['e2e/process/stop'],
      { programs: true, pages: true, servers: true },
    ],
    [
      'what one of its files needs',
      ['architecture/prose', 'e2e/process/failed-start', 'contract/order-repository'],
      { programs: true, pages: true, servers: true },
    ],
  ])('prepares %s: %s', async (_, tests, needs) => {
    const files = tests.map((test) => join(ROOT, `test/${test}.test.ts`));
    expect(await needsOf(files, vite)).toEqual({ ...nothing, ...needs });
  });
});
