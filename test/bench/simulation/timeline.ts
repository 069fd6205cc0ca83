interface Event {
  readonly at: number;
  readonly happen: () => void;
}

/** Pending events with their times: a binary heap with the next event on top. */
export class Timeline {
  readonly #events: Event[] = [];
  now = 0;

  after(delay: number, happen: () => void): void {
    this.at(this.now + delay, happen);
  }

  at(at: number, happen: () => void): void {
    const events = this.#events;
    let place = events.length;
    for (let above = (place - 1) >> 1; place > 0 && events[above]!.at > at; above = (place - 1) >> 1) {
      events[place] = events[above]!;
      place = above;
    }
    events[place] = { at, happen };
  }

  /** Runs all events in order of time until none is left. */
  run(): void {
    for (let next = this.#take(); next; next = this.#take()) {
      this.now = next.at;
      next.happen();
    }
  }

  #take(): Event | undefined {
    const events = this.#events;
    const next = events[0];
    const last = events.pop();
    if (!last || last === next) return next;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below + 1 < events.length && events[below + 1]!.at < events[below]!.at) below += 1;
      if (below >= events.length || events[below]!.at >= last.at) break;
      events[place] = events[below]!;
      place = below;
    }
    events[place] = last;
    return next;
  }
}
