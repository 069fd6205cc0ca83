import { defineConfig } from 'vitest/config';
import { checkPath } from '../support/run/usable-path.js';

checkPath(import.meta.dirname);

/** Optional file for machine-readable results. */
const resultsFile = process.env['RESULTS_FILE'];

/** Tests what is shipped, built and started as users do. Test files run in parallel: npm waits more than it computes. */
export default defineConfig({
  test: {
    include: ['test/ship/*.test.ts'],
    globalSetup: 'test/ship/support/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    maxWorkers: 3,
    // `npm ci` took four minutes on a busy machine, and what follows it in the image as long.
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
  },
});
