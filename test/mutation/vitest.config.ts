import { defineConfig } from 'vitest/config';
import { plantedFaults } from '../support/planted-faults.js';
import { IN_ONE_PROCESS } from '../support/run/in-one-process.js';

/** The tests that mutants run: the tests of the mutated code that need neither a server nor a build. Leases and DTOs use SQLite. */
export default defineConfig({
  plugins: [plantedFaults],
  test: {
    include: [
      'test/unit/{kernel,access,pets,pet-files,store}/**/*.test.ts',
      'test/unit/platform/{json,database,events,ops}/**/*.test.ts',
      'test/unit/platform/http/{lists,idempotency,validation,errors,deprecation}/**/*.test.ts',
      'test/unit/platform/http/routes.test.ts',
      'test/interleavings/*.test.ts',
      'test/contract/leases.test.ts',
      'test/e2e/{modules/dto-as-in-nest,lists/pages,http/stored-responses}.test.ts',
    ],
    // Eight megabytes take a minute when each branch is counted.
    exclude: ['test/unit/platform/json/long-json.test.ts'],
    // Tests of planted faults need the unchanged source, which Stryker has rewritten.
    testNamePattern: /^(?!.* notices a fault in )/,
    env: { ORDERS: '200' },
    ...IN_ONE_PROCESS,
    setupFiles: [...IN_ONE_PROCESS.setupFiles, 'test/mutation/fewer-runs.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
