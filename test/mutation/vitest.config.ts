import { defineConfig } from 'vitest/config';
import { plantedFaults } from '../support/planted-faults.js';

/** The tests that mutants run: those of the mutated code that need no server and no build. */
export default defineConfig({
  plugins: [plantedFaults],
  test: {
    include: [
      'test/unit/{kernel,access,pets,pet-files,store}/**/*.test.ts',
      'test/unit/platform/{json,database,ops}/**/*.test.ts',
      'test/unit/platform/http/{lists,idempotency,validation,errors}/**/*.test.ts',
      'test/interleavings/*.test.ts',
    ],
    // The faults that others plant are looked for in the source as it is.
    testNamePattern: /^(?!.* would not hold if it )/,
    env: { ORDERS: '20' },
    setupFiles: 'test/mutation/fewer-runs.ts',
    isolate: false,
    testTimeout: 60_000,
  },
});
