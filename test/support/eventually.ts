import { setTimeout as sleep } from 'node:timers/promises';
import { TestRunner } from 'vitest';

/** In ms: the margin before the timeout of the test, which would not say what the test waited for. */
const MARGIN = 2_000;

/** In ms, until the running test times out. In a hook of a file no test runs, and only the hook's timeout ends a wait. */
function timeLeft(): number {
  const test = TestRunner.getCurrentTest();
  return test?.result?.startTime === undefined
    ? Infinity
    : test.result.startTime + test.timeout - MARGIN - Date.now();
}

/** Polls until `holds` neither throws nor returns false. Fails with the last value and the last error. */
export async function eventually(holds: () => Promise<unknown>, within = timeLeft()): Promise<void> {
  const end = performance.now() + within;
  let [value, error]: unknown[] = ['none'];
  for (;;) {
    try {
      value = await holds();
      if (value !== false) return;
    } catch (thrown) {
      error = thrown;
    }
    if (performance.now() > end) break;
    await sleep(20);
  }
  const reason = error === undefined ? 'none' : String(error);
  throw new Error(`This never held: ${holds}\nThe last value: ${value}. The last error: ${reason}`, {
    cause: error,
  });
}
