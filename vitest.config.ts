import { defineConfig } from 'vitest/config';

/** Where a machine reads the results, if it wants to. */
const resultsFile = process.env['RESULTS_FILE'];

export default defineConfig({
  test: {
    include: ['test/{unit,contract,e2e,browser,client,architecture,deploy,fuzz}/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    reporters: resultsFile ? ['default', ['json', { outputFile: resultsFile }]] : ['default'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
