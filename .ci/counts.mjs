// Prints the counts of a vitest run, from its JSON report, as the last line of the CI run.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8') || '{}');
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
  numTodoTests = 0,
  testResults = [],
} = report;
// A file that could not even be loaded has no tests to count, and is a failure all the same.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = numFailedTests + broken.length;
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = failed === 0 && numPassedTests > 0 ? 0 : 1;
