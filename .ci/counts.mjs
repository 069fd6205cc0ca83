// Prints the failed tests of vitest runs, from their JSON reports, and the counts as the last line of the CI run.
import { readFileSync } from 'node:fs';

const sums = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8') || '{}');
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
  sums.passed += numPassedTests;
  sums.failed += numFailedTests;
  sums.skipped += numPendingTests + numTodoTests;
  for (const { name, status, message, assertionResults } of report.testResults ?? []) {
    // A file that fails to load, or a hook that fails, has no failed test; it counts as one failure. Its tests count as skipped.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      sums.failed += 1;
      console.log(`failed: ${name}\n${message || 'A hook failed. The output of its stage has the error.'}`);
    }
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') console.log(`failed: ${name}: ${fullName}\n${failureMessages.join('\n')}`);
      if (status !== 'failed' && status !== 'passed') console.log(`skipped: ${name}: ${fullName}`);
    }
  }
  // A run that was interrupted, or in which no test passed, is a failure.
  if (numPassedTests === 0) process.exitCode = 1;
}
console.log(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`);
if (sums.failed > 0) process.exitCode = 1;
