import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './support/reporter.js';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

const json = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

const SETUP = 'test/faults/support/global-setup.ts';

// What hangs must not hang for ever; the long run soaks for half an hour.
const timeouts = {
  testTimeout: process.env['FAULTS_LONG'] === '1' ? 3_600_000 : 300_000,
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
          // Much of their time goes by in waiting, so four keep two cores busy.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'foreign',
          include: ['test/faults/foreign/*.test.ts'],
          globalSetup: SETUP,
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'measuring',
          // What takes times and rates, which others would spoil. What only counts does not mind them.
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
