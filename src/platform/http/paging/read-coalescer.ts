import { readCoalesced } from './paging-channels.js';

/** What goes on for one name: a reading that has begun, and one that others may still join. */
interface Turn<Result> {
  underWay?: Promise<Result> | undefined;
  coming?: Promise<Result> | undefined;
}

/**
 * Lets equal requests share one reading. Who asks joins the reading that has not begun yet, never the one under way: so
 * nobody is shown less than was stored before they asked. Nobody waits for company either: if nothing is under way, the
 * reading begins as soon as the event loop has read its sockets.
 */
export class ReadCoalescer<Result> {
  /** No Map: see `InFlight`. */
  readonly #turns = Object.create(null) as Record<string, Turn<Result>>;
  #tick: Promise<void> | undefined;

  get(name: string, read: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns[name] ??= {});
    readCoalesced.publish(turn.coming ? 'joined' : 'led');
    return (turn.coming ??= this.#begin(name, turn, read));
  }

  #begin(name: string, turn: Turn<Result>, read: () => Promise<Result>): Promise<Result> {
    const start = turn.underWay ? turn.underWay.catch(() => undefined) : this.#whenSocketsAreRead();
    const reading = start.then(() => {
      turn.coming = undefined;
      turn.underWay = reading;
      return read().finally(() => {
        if (turn.underWay === reading) turn.underWay = undefined;
        if (!turn.underWay && !turn.coming) delete this.#turns[name];
      });
    });
    return reading;
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
