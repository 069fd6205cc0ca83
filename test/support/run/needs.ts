import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';

type Vite = TestProject['vite'];

/** What a run must prepare for test files, and the file of helpers through which tests use it. */
const HELPERS = {
  /** `dist` and the bundle. */
  programs: 'test/support/built-service.ts',
  /** The OpenAPI document and the pages in `dist`, which a service inside of a test serves, too. */
  pages: 'test/support/service.ts',
  /** MariaDB and MySQL. */
  servers: 'test/support/engines.ts',
  /** The archive of `@petstore/client`. */
  client: 'test/client/built-client.ts',
} as const;

export type Needs = Readonly<Record<keyof typeof HELPERS, boolean>>;

const EVERYTHING: Needs = { programs: true, pages: true, servers: true, client: true };

/** What the test files of a run need. A run that watches may later run any file, without another setup. */
export async function needsOfRun(project: TestProject): Promise<Needs> {
  const { vite, vitest } = project;
  if (vitest.config.watch) return EVERYTHING;
  const isOwn = (path: string) => vitest.getModuleSpecifications(path).some((one) => one.project === project);
  return await needsOf(vitest.state.getPaths().filter(isOwn), vite);
}

/** What these test files need, which depends on the helpers that they import. */
export async function needsOf(tests: Iterable<string>, vite: Vite): Promise<Needs> {
  const helpers = Object.values(HELPERS);
  const found = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (found.has(file) || helpers.every((helper) => found.has(helper))) return;
    found.add(file);
    for (const imported of await importsOf(file, vite)) await visit(imported);
  };
  for (const test of tests) await visit(relative(vite.config.root, test));
  const { programs, pages, servers, client } = HELPERS;
  return {
    programs: found.has(programs),
    pages: found.has(pages) || found.has(programs),
    servers: found.has(servers),
    client: found.has(client),
  };
}

/**
 * The files of tests that a file imports, without imports of types. Vite finds them, as for `--changed`. No other file imports a helper.
 */
async function importsOf(file: string, { config, environments }: Vite): Promise<string[]> {
  // The run reports a file that cannot be read, and nothing that imports it runs.
  const module = await environments.ssr.transformRequest(join(config.root, file)).catch(() => null);
  return [...(module?.deps ?? []), ...(module?.dynamicDeps ?? [])]
    .filter((url) => url.startsWith('/test/'))
    .map((url) => url.slice(1));
}
