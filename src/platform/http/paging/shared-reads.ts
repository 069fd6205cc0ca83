/** What goes on for one name: a reading that has begun, and one that others may still join. */
interface Turn<Result> {
  underWay?: Promise<Result> | undefined;
  coming?: Promise<Result> | undefined;
}

/** So many turns are remembered before those at which nothing goes on are forgotten. */
const MOST_TURNS = 1_000;

/**
 * Lets equal requests share one reading. Who asks joins the reading that has not begun yet, never the one under way: so
 * nobody is shown less than was stored before they asked. Nobody waits for company either: if nothing is under way, the
 * reading begins as soon as the event loop has read its sockets.
 */
export class SharedReads<Result> {
  /** Forgotten all at once: V8 takes longer to tidy up after a Map that loses an entry with each request. */
  #turns = new Map<string, Turn<Result>>();
  #mostTurns = MOST_TURNS;
  #tick: Promise<void> | undefined;

  get(name: string, read: () => Promise<Result>): Promise<Result> {
    const turn = this.#turnOf(name);
    return (turn.coming ??= this.#begin(turn, read));
  }

  #begin(turn: Turn<Result>, read: () => Promise<Result>): Promise<Result> {
    const start = turn.underWay ? turn.underWay.catch(() => undefined) : this.#whenSocketsAreRead();
    const reading = start.then(() => {
      turn.coming = undefined;
      turn.underWay = reading;
      return read().finally(() => {
        if (turn.underWay === reading) turn.underWay = undefined;
      });
    });
    return reading;
  }

  #turnOf(name: string): Turn<Result> {
    let turn = this.#turns.get(name);
    if (!turn) {
      if (this.#turns.size >= this.#mostTurns) this.#forgetIdle();
      this.#turns.set(name, (turn = {}));
    }
    return turn;
  }

  #forgetIdle(): void {
    const busy = [...this.#turns].filter(([, { underWay, coming }]) => underWay ?? coming);
    this.#turns = new Map(busy);
    this.#mostTurns = Math.max(MOST_TURNS, 2 * busy.length);
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
