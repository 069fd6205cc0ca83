import { defineConfig } from 'vitest/config';
import { plantedFaults } from '../support/planted-faults.js';

/** The tests that mutants run: those of the mutated code that need no server and no build; leases have SQLite. */
export default defineConfig({
  plugins: [plantedFaults],
  test: {
    include: [
      'test/unit/{kernel,access,pets,pet-files,store}/**/*.test.ts',
      'test/unit/platform/{json,database,events,ops}/**/*.test.ts',
      'test/unit/platform/http/{lists,idempotency,validation,errors}/**/*.test.ts',
      'test/interleavings/*.test.ts',
      'test/contract/leases.test.ts',
    ],
    // Eight megabytes take a minute where each branch is counted.
    exclude: ['test/unit/platform/json/long-json.test.ts'],
    // Without the faults that others plant, which are looked for in the source as it is, and without leases that last for seconds.
    testNamePattern: new RegExp(
      '^(?!.* (?:would not hold if it|has one holder at a time, of|stays with a holder|is held by who took it) )',
    ),
    env: { ORDERS: '200' },
    setupFiles: 'test/mutation/fewer-runs.ts',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
