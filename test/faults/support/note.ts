import type { TestContext } from 'vitest';

/** What a test found out about a promise: one line, its figures, and whether they are within the promise. */
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
 * Writes a finding down before anything is asserted, so that it is printed at the end in any case. `kept` is about the whole
 * promise; what a test asserts of a time is less, for a slow machine is no fault of the service.
 */
export function note({ task }: TestContext, finding: Finding): void {
  (task.meta.findings ??= []).push(finding);
}
