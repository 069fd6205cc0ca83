import type { Reporter, TestModule } from 'vitest/node';
import type { Finding } from './note.js';

const VERDICTS = new Map<Finding['kept'], string>([
  [true, 'kept    '],
  [false, 'NOT KEPT'],
  ['busy', 'BUSY    '],
]);

/** Prints the findings of the tests at the end, by promise. */
export class FaultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const findings = tests.flatMap((test) => test.meta().findings ?? []);
    for (const { promise, kept, line } of findings.toSorted((a, b) => a.promise - b.promise))
      process.stdout.write(`${String(promise).padStart(2)}  ${VERDICTS.get(kept)}  ${line}\n`);
  }
}
