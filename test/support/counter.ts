import { expect } from 'vitest';

/** Counts from 1 in each file of tests, whichever files ran before it in the same process. */
export function counter(): () => number {
  let [n, file] = [0, ''];
  return () => {
    const { testPath = '' } = expect.getState();
    if (testPath !== file) [n, file] = [0, testPath];
    return ++n;
  };
}
