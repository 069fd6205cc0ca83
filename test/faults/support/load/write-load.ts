import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { Tally } from './tally.js';

/** In ms: the pause of a client after a refusal. Too short for a real client, but it keeps the test short. */
const PAUSE = 20;

/** Clients that add pets, each with a unique name, and record the responses. */
export class WriteLoad {
  readonly tally = new Tally();
  /** The names of the pets that were acknowledged, by id. */
  readonly acknowledged = new Map<number, string>();
  readonly #clients: Promise<void>[];
  readonly #times: number[] = [performance.now()];
  #stopped = false;
  static #loads = 0;

  private constructor(
    callers: readonly Caller[],
    clients: number,
    private readonly pause: number,
  ) {
    const name = (WriteLoad.#loads += 1);
    this.#clients = callers.flatMap((caller, i) =>
      Array.from({ length: clients }, (_, k) => this.#write(caller, `${name}-${i}-${k}`)),
    );
  }

  /** Starts `clients` clients per caller at once. Each waits for `pause` ms between its writes. */
  static start(callers: readonly Caller[], clients: number, pause = 0): WriteLoad {
    return new WriteLoad(callers, clients, pause);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  /** The longest time between two acknowledgements to any client, in ms. */
  get longestGap(): number {
    const gaps = this.#times.slice(1).map((time, i) => time - this.#times[i]!);
    return Math.round(Math.max(0, ...gaps));
  }

  async #write(caller: Caller, name: string): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      const pet = { name: `${name}-${i}`, categoryId: i };
      const reply = await this.tally.of(caller.post('/v1/pets', pet));
      if (reply?.status === 201) {
        this.acknowledged.set((JSON.parse(reply.text) as { id: number }).id, pet.name);
        this.#times.push(performance.now());
        if (this.pause > 0) await sleep(this.pause);
      } else {
        await sleep(PAUSE);
      }
    }
  }
}
