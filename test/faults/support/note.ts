import type { TestContext } from 'vitest';

/** The result of a test about a promise: one line, its figures, and whether they keep the promise. */
export interface Finding {
  readonly promise: number;
  readonly line: string;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly kept: boolean;
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
