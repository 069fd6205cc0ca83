/** Waits for a number of milliseconds. @throws the reason of the signal as soon as it aborts */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Runs `work` with a signal that aborts after a number of milliseconds, or when the caller's signal aborts. */
export async function withDeadline<T>(
  milliseconds: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(caller?.reason);
  const late = () =>
    controller.abort(new DOMException(`no answer within ${milliseconds} ms`, 'TimeoutError'));
  const timer = setTimeout(late, milliseconds);
  caller?.addEventListener('abort', stop);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', stop);
  }
}
