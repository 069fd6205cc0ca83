/**
 * Lets equal requests share one reading. Who asks joins the reading that has not begun yet, never the one under way: so
 * nobody is shown less than was stored before they asked. Nobody waits for company either: if nothing is under way, the
 * reading begins as soon as the event loop has read its sockets.
 */
export class SharedReads<Result> {
  readonly #coming = new Map<string, Promise<Result>>();
  readonly #underWay = new Map<string, Promise<Result>>();
  #tick: Promise<void> | undefined;

  get(name: string, read: () => Promise<Result>): Promise<Result> {
    const coming = this.#coming.get(name);
    if (coming) return coming;
    const next = this.#turnFor(name).then(() => {
      this.#coming.delete(name);
      this.#underWay.set(name, next);
      return read().finally(() => {
        if (this.#underWay.get(name) === next) this.#underWay.delete(name);
      });
    });
    this.#coming.set(name, next);
    return next;
  }

  #turnFor(name: string): Promise<unknown> {
    const underWay = this.#underWay.get(name);
    return underWay ? underWay.catch(() => undefined) : this.#whenSocketsAreRead();
  }

  /** One for all lists: what begins together can go to the database together. */
  #whenSocketsAreRead(): Promise<void> {
    this.#tick ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#tick = undefined;
        resolve();
      });
    });
    return this.#tick;
  }
}
