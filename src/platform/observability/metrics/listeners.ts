import type { Channel } from '../channel.js';

/** Listens to channels until it is told to stop. */
export class Listeners {
  readonly #stops: (() => void)[] = [];

  add<Message>(channel: Channel<Message>, listener: (message: Message) => void): void {
    channel.subscribe(listener);
    this.#stops.push(() => channel.unsubscribe(listener));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}
