import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { plantedFaults } from './test/support/planted-faults.js';
import { IN_ONE_PROCESS } from './test/support/run/in-one-process.js';
import { RunReporter } from './test/support/run/run-reporter.js';
import { checkPath } from './test/support/run/usable-path.js';

checkPath(import.meta.dirname);

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

const json = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

export default defineConfig({
  plugins: [plantedFaults],
  test: {
    reporters: ['default', new RunReporter(), ...(resultsFile ? [json(resultsFile)] : [])],
    testTimeout: 60_000,
    // Vitest's limit of one second is too short for a busy machine.
    expect: { poll: { interval: 20, timeout: 30_000 } },
    // It only ends what hangs: on a busy machine, a service starts in minutes.
    hookTimeout: 600_000,
    // Two processes more than there are cores, for most tests wait for something. What files share takes longer to import than
    // most files take to run.
    maxWorkers: availableParallelism() + 2,
    ...IN_ONE_PROCESS,
    // Tests that are concurrent wait for the same seconds, which cost nothing.
    maxConcurrency: 20,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/{unit,interleavings}/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/{contract,e2e,browser,client,architecture,deploy,fuzz}/**/*.test.ts'],
          globalSetup: 'test/support/run/global-setup.ts',
        },
      },
    ],
  },
});
