import { resolve } from 'node:path';

/** The repository root, relative to the compiled file in test/bench/dist/bench/command. */
const root = resolve(import.meta.dirname, '../../../../..');

export const PLACES = {
  main: resolve(root, 'dist/main.js'),
  moreModules: resolve(root, 'test/bench/more-modules.mjs'),
  watchedService: resolve(root, 'test/bench/bodies/watched.mjs'),
  built: resolve(root, 'dist'),
  cli: resolve(root, 'dist/cli.js'),
  pager: resolve(root, 'dist/platform/http/lists/pager.js'),
  peers: resolve(import.meta.dirname, '../peers'),
  loader: resolve(root, 'test/bench/load.mjs'),
  keys: resolve(root, 'test/bench/keys.mjs'),
  profiler: resolve(root, 'test/bench/profiler.mjs'),
  walk: resolve(root, 'test/bench/traffic/walk.lua'),
  /** In the working directory: the benchmark may run from a copy of the tree that is there. */
  results: resolve('docs/benchmarks'),
};
