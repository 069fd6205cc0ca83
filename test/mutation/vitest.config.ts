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
      'test/contract/*.test.ts',
    ],
    env: { ORDERS: '200' },
    isolate: false,
    testTimeout: 60_000,
  },
});
