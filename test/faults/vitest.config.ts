import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './support/reporter.js';
import { checkPath } from '../support/run/usable-path.js';

checkPath(import.meta.dirname);

/** The file for machine-readable results, if any. */
const resultsFile = process.env['RESULTS_FILE'];

const json = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

const SETUP = 'test/faults/support/global-setup.ts';

// A test must not hang for ever; the soak of the long run takes an hour.
const timeouts = {
  testTimeout: process.env['FAULTS_LONG'] === '1' ? 7_200_000 : 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
};

export default defineConfig({
  test: {
    reporters: ['default', new FaultsReporter(), ...(resultsFile ? [json(resultsFile)] : [])],
    projects: [
      {
        test: {
          name: 'counting',
          include: ['test/faults/*.test.ts'],
          globalSetup: [SETUP, 'test/faults/support/servers/shared-servers.ts'],
          // These tests wait for much of their time, so four workers keep two cores busy.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'measuring',
          // Tests that measure times and rates, which other tests would distort. Tests that only count are not affected.
          include: ['test/faults/measuring/*.test.ts'],
          globalSetup: SETUP,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
    ],
  },
});
