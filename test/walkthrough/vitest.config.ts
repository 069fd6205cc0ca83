import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/walkthrough/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    // The first failing step ends the walkthrough.
    bail: 1,
  },
});
