import { availableParallelism } from 'node:os';
import type { Reporter, TestModule } from 'vitest/node';
import { leftOut } from './installed.js';

/** Tests that take too long for every change, and the command that runs them. `.ci/run` runs all of them. */
const ELSEWHERE = [
  [
    'the generators, the pages of the documentation and their samples, and the peers of the benchmark',
    'npm run test:slow',
  ],
  [
    'the image, the package, the proxy, generated clients, and the client in Deno and in Bun',
    'npm run test:ship',
  ],
  ['faults: databases, nodes and replicas are killed, frozen and flooded', 'npm run test:faults'],
];

/** Reports at the end which tests ran, which were skipped and why, and how long the run took. */
export class RunReporter implements Reporter {
  #begin = 0;

  onTestRunStart(): void {
    this.#begin = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = Math.round((performance.now() - this.#begin) / 1_000);
    const counts = new Map<string, number>();
    for (const module of modules) {
      const kind = module.relativeModuleId.split('/')[1] ?? '';
      const tests = [...module.children.allTests()].length;
      counts.set(kind, (counts.get(kind) ?? 0) + tests);
    }
    const context = modules.map(({ project }) => project.getProvidedContext());
    const kinds = [...counts].map(([kind, count]) => `${kind} ${count}`).sort();
    const lines = [
      `Ran in ${seconds} s on ${availableParallelism()} cores: ${kinds.join(', ')}.`,
      ...new Set(context.flatMap(({ mySql }) => mySql?.said ?? [])),
      ...(counts.has('e2e') ? leftOut().map((what) => `LEFT OUT, and counted as skipped: ${what}.`) : []),
      ...(counts.has('e2e')
        ? ELSEWHERE.map(([what, command]) => `Not part of this run: ${what} (${command}).`)
        : []),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
