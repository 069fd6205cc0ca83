import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../support/load/caller.js';
import { Book } from './book.js';
import type { Chance } from './chance.js';
import type { Add, Order, Use } from './history.js';

/** Clients order among this many of the newest pets, so that they compete; single reads are among twice as many. */
const NEWEST = 6;
const PAGE = 20;
const PAGES = 4;
/** In ms: the longest pause of a client between operations, and that after a failure or before a retry. */
const PAUSE = 15;
const PAUSE_AFTER_FAILURE = 100;
/** Number of clients that use a key with a rate at the same time, and the pause of each between uses, in ms. */
const USERS = 4;
const PAUSE_BETWEEN_USES = 30;

/** Clients that use every operation, each on any replica, and record what they see. */
export class Clients {
  readonly book = new Book();
  readonly uses: Use[] = [];
  readonly #pets: number[] = [];
  readonly #orders: { id: number; petId: number; status: 'placed' }[] = [];
  readonly #running: Promise<void>[] = [];
  #isStopped = false;
  #names = 0;

  constructor(
    private readonly callers: readonly Caller[],
    private readonly chance: Chance,
  ) {}

  start(count: number): this {
    for (let i = 1; i <= count; i++) this.#running.push(this.#run(`client ${i}`));
    return this;
  }

  /** Starts to use a key more often than its rate allows. */
  use(key: string): void {
    for (let i = 0; i < USERS; i++) this.#running.push(this.#overuse(key));
  }

  /** Number of operations acknowledged so far. */
  get done(): number {
    return this.book.operations.filter(({ outcome }) => outcome === 'done').length;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(client: string): Promise<void> {
    const deeds = [
      ...[0, 1, 2].map(() => () => this.#add(client)),
      ...[0, 1, 2].map(() => () => this.#order(client)),
      ...[0, 1].map(() => () => this.#move(client)),
      ...[0, 1, 2].map(() => () => this.#read(client)),
    ];
    while (!this.#isStopped) {
      const before = this.book.operations.length;
      await this.chance.pick(deeds)!();
      const own = this.book.operations.slice(before).filter((operation) => operation.client === client);
      const failed = own.some(({ outcome }) => outcome === 'unknown');
      await sleep(this.chance.below(failed ? PAUSE_AFTER_FAILURE : PAUSE));
    }
  }

  async #add(client: string): Promise<void> {
    const name = `animal ${++this.#names}`;
    const key = this.chance.below(2) ? `add-${this.#names}` : undefined;
    const attempt = () => this.book.add(client, this.#any(), name, key);
    const { id } = await this.#keyed(key, attempt);
    if (id === undefined) return;
    this.#pets.push(id);
    // Acknowledged changes are read from any replica.
    await this.#look(client, id);
  }

  async #order(client: string): Promise<void> {
    const petId = this.chance.pick(this.#pets.slice(-NEWEST));
    if (petId === undefined) return;
    const key = this.chance.below(2) ? `order-${++this.#names}` : undefined;
    const { id } = await this.#keyed(key, () => this.book.order(client, this.#any(), petId, key));
    if (id === undefined) return;
    this.#orders.push({ id, petId, status: 'placed' });
    await this.#look(client, petId);
  }

  async #move(client: string): Promise<void> {
    const order = this.chance.pick(this.#orders.slice(-2 * NEWEST));
    if (!order) return;
    const to = this.chance.pick(['approved', 'delivered', 'cancelled', 'cancelled'] as const)!;
    await this.book.move(client, this.#any(), order, to);
    await this.#look(client, order.petId);
  }

  /** With a key, sends until the request is acknowledged or rejected, and sometimes once more. Without a key, sends once. */
  async #keyed(key: string | undefined, attempt: () => Promise<Add | Order>): Promise<Add | Order> {
    if (key === undefined) return attempt();
    const send = async () => {
      for (;;) {
        const operation = await attempt();
        const isKnown = operation.outcome === 'done' || operation.outcome === 'refused';
        if (isKnown || this.#isStopped) return operation;
        await sleep(this.chance.below(PAUSE_AFTER_FAILURE));
      }
    };
    // One time in four the request is sent twice at once, as by an impatient client.
    const sent = await Promise.all(this.chance.below(4) ? [send()] : [send(), send()]);
    if (this.chance.below(3) === 0) sent.push(await send());
    return sent.find(({ outcome }) => outcome === 'done') ?? sent[0]!;
  }

  async #look(client: string, petId: number): Promise<void> {
    const looks = [
      () => this.book.get(client, this.#any(), petId),
      () => this.#walk(client, { kind: 'pets' }, 1),
    ];
    await this.chance.pick(looks)!();
  }

  async #read(client: string): Promise<void> {
    const petId = this.chance.pick(this.#pets.slice(-2 * NEWEST));
    const list = this.chance.pick([
      undefined,
      { kind: 'pets' },
      { kind: 'pets', status: 'available' },
      { kind: 'orders' },
    ] as const);
    if (list) await this.#walk(client, list, PAGES);
    else if (petId !== undefined) await this.book.get(client, this.#any(), petId);
  }

  #walk(client: string, list: Parameters<Book['walk']>[2], pages: number): Promise<void> {
    return this.book.walk(client, () => this.#any(), list, PAGE, pages);
  }

  async #overuse(key: string): Promise<void> {
    const headers = { Authorization: `Bearer ${key}` };
    while (!this.#isStopped) {
      const sent = performance.now();
      const reply = await this.#any()
        .send('GET', '/v1/pets?limit=1', { headers })
        .catch(() => undefined);
      this.uses.push({ sent, ended: performance.now(), isAdmitted: reply?.status === 200 });
      await sleep(PAUSE_BETWEEN_USES);
    }
  }

  #any(): Caller {
    return this.chance.pick(this.callers)!;
  }
}
