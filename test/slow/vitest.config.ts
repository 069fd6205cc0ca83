import { defineConfig } from 'vitest/config';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

/** Tests of whole trees and builds, which take too long for every change. */
export default defineConfig({
  test: {
    include: ['test/slow/*.test.ts'],
    globalSetup: 'test/support/run/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
