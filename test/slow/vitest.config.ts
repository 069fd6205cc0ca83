import { defineConfig } from 'vitest/config';
import { checkPath } from '../support/run/usable-path.js';

checkPath(import.meta.dirname);

/** Optional file for machine-readable results. */
const resultsFile = process.env['RESULTS_FILE'];

/** Tests of whole trees and builds, which take too long to run on every change. */
export default defineConfig({
  test: {
    include: ['test/slow/*.test.ts'],
    globalSetup: 'test/support/run/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    maxWorkers: '100%',
    // The timeouts only end hanging tests. On a slow machine, beside the tests of the image and of faults, seconds become minutes.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
