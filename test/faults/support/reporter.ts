import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { Finding } from './note.js';
import { PROMISES } from './promises.js';

/** Prints the findings of the tests at the end, by promise, and writes them as JSON to the file FAULTS_FILE. */
export class FaultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const findings: Finding[] = [];
    const failed: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        findings.push(...(test.meta().findings ?? []));
        if (test.result().state === 'failed') failed.push(test.fullName);
      }
    }
    const file = process.env['FAULTS_FILE'];
    if (file) writeFileSync(file, `${JSON.stringify({ findings, failed }, undefined, 2)}\n`);
    process.stdout.write(`\n${summary(findings)}\n`);
  }
}

function summary(findings: readonly Finding[]): string {
  const untested: string[] = [];
  const lines = Object.entries(PROMISES).flatMap(([number, { promise, elsewhere }]) => {
    const heading = `${number.padStart(2)}  ${promise}`;
    if (elsewhere) return [heading, `      see ${elsewhere}`];
    const own = findings.filter((finding) => finding.promise === Number(number));
    if (own.length === 0) untested.push(number);
    return own.length === 0 ? [] : [heading, ...own.map(lineOf)];
  });
  return [...lines, ...(untested.length > 0 ? [`not tested in this run: ${untested.join(', ')}`] : [])].join(
    '\n',
  );
}

const lineOf = ({ kept, line }: Finding) => `      ${kept ? 'kept    ' : 'NOT KEPT'}  ${line}`;
