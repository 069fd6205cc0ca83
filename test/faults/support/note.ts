import type { TestContext } from 'vitest';

/** The result of a test about a promise of docs/reliability.md: one line, and whether it keeps the promise; 'busy' if only a quiet machine shows that. */
export interface Finding {
  readonly promise: number;
  readonly line: string;
  readonly kept: boolean | 'busy';
}

declare module 'vitest' {
  interface TaskMeta {
    findings?: Finding[];
  }
}

/**
 * Records a finding before any assertion, so that it is always printed at the end. `kept` is about the whole promise; the time
 * limits that a test asserts are looser, because a slow machine is not a fault of the service.
 */
export function note({ task }: TestContext, finding: Finding): void {
  (task.meta.findings ??= []).push(finding);
}
