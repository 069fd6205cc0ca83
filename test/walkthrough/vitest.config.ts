import { defineConfig } from 'vitest/config';
import { checkPath } from '../support/run/usable-path.js';

checkPath(import.meta.dirname);

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
