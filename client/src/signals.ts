/** The running calls that one signal ends, and the listener on that signal. */
interface Group {
  readonly calls: Set<AbortController>;
  readonly listener: () => void;
}

/**
 * Ends calls when the signals of their callers abort. All calls with one signal share a listener, because Node.js warns about more
 * than ten. `AbortSignal.any` would need no listener, but in Node 20 it keeps every signal as long as the caller's signal exists.
 */
export class CallSignals {
  readonly #groups = new WeakMap<AbortSignal, Group>();

  /**
   * Runs a call with a signal of its own, which aborts with the reason of the caller's signal.
   * @throws the reason, if the caller's signal has aborted before
   */
  async run<T>(
    caller: AbortSignal | undefined,
    call: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    if (!caller) return call(undefined);
    caller.throwIfAborted();
    const group = this.#groupOf(caller);
    const controller = new AbortController();
    group.calls.add(controller);
    try {
      return await call(controller.signal);
    } finally {
      group.calls.delete(controller);
      if (group.calls.size === 0) this.#end(caller, group);
    }
  }

  #groupOf(caller: AbortSignal): Group {
    const known = this.#groups.get(caller);
    if (known) return known;
    const calls = new Set<AbortController>();
    const listener = () => calls.forEach((call) => call.abort(caller.reason));
    caller.addEventListener('abort', listener);
    const group = { calls, listener };
    this.#groups.set(caller, group);
    return group;
  }

  #end(caller: AbortSignal, { listener }: Group): void {
    caller.removeEventListener('abort', listener);
    this.#groups.delete(caller);
  }
}
