import { defineConfig } from 'vitest/config';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

/** What is shipped, built and started as its users do. The files build beside each other: npm waits more than it works. */
export default defineConfig({
  test: {
    include: ['test/ship/*.test.ts'],
    globalSetup: 'test/ship/support/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    maxWorkers: 3,
    // `npm ci` took four minutes on a machine with much else to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
