import { defineConfig } from 'vitest/config';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

/** What is shipped, built and started as its users do. Each of these files keeps the machine busy, so one follows another. */
export default defineConfig({
  test: {
    include: ['test/ship/*.test.ts'],
    globalSetup: 'test/ship/support/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    fileParallelism: false,
    // A machine without the prebuilt better-sqlite3 compiles it, which took four minutes on one with much else to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
