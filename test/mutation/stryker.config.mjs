/** Code that decides is mutated. Code that stores in SQL is left to the contracts, which run on real engines. */
export const MUTATED = [
  'src/kernel/**/*.ts',
  'src/*/domain/**/*.ts',
  'src/*/application/**/*.ts',
  'src/platform/json/**/*.ts',
  'src/platform/http/lists/**/*.ts',
  'src/platform/http/routes/routes.ts',
  'src/platform/http/idempotency/idempotency.ts',
  'src/platform/http/validation/**/*.ts',
  'src/platform/database/batch.ts',
  'src/platform/database/error*.ts',
  'src/platform/database/leases/*.ts',
  'src/platform/database/units/retries.ts',
  'src/platform/events/outbound-subscriber.ts',
  'src/platform/events/outbox.ts',
];

const HOME = 'node_modules/.cache/mutation';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: MUTATED,
  coverageAnalysis: 'perTest',
  // A mutant that takes effect at import would run all tests, for a minute each.
  ignoreStatic: true,
  timeoutMS: 3_000,
  concurrency: 2,
  incremental: true,
  incrementalFile: `${HOME}/incremental.json`,
  // Not below node_modules, because Vitest does not look for tests there.
  tempDirName: '.mutation',
  ignorePatterns: ['/dist', '/dist-bundled', '/docs/releases', '/test/bench/dist', '/tools/dist'],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${HOME}/report.json` },
};
