import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './support/reporter.js';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

const json = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

/** Faults are injected on purpose and figures are taken, so nothing else may run at the same time. */
export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: 'test/faults/support/global-setup.ts',
    reporters: ['default', new FaultsReporter(), ...(resultsFile ? [json(resultsFile)] : [])],
    fileParallelism: false,
    // What hangs must not hang for ever; the long run soaks for half an hour.
    testTimeout: process.env['FAULTS_LONG'] === '1' ? 3_600_000 : 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
