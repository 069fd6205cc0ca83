import type { Reporter, TestModule } from 'vitest/node';

/** Prints the findings of the tests at the end, by promise. */
export class FaultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const findings = tests.flatMap((test) => test.meta().findings ?? []);
    for (const { promise, kept, line } of findings.toSorted((a, b) => a.promise - b.promise))
      process.stdout.write(`${String(promise).padStart(2)}  ${kept ? 'kept    ' : 'NOT KEPT'}  ${line}\n`);
  }
}
