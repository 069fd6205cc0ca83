import { expect } from 'vitest';
import { type Answer, linked } from '../support/api-client.js';
import type { Shop } from './shop.js';
import { byNewest, type Key, type Order, type Post, type ShopModel } from './shop-model.js';

/** The replica that gets a request, and the API key of the request. */
export interface Way {
  readonly replica: number;
  readonly key: Key;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** What `If-Match` of a change contains. */
export type Match = 'nothing' | 'any tag' | 'the current tag' | 'an outdated tag';

/** Requests of clients, which compare each response with the model and then change the model. */
export class Requests {
  constructor(
    private readonly shop: Shop,
    private readonly model: ShopModel,
  ) {}

  async addPet(way: Way, status: string | undefined, idempotencyKey?: string): Promise<void> {
    const body = { name: 'Rex', categoryId: 7, ...(status && { status }) };
    await this.post({ path: '/v1/pets', key: way.key, body, idempotencyKey }, way.replica);
  }

  async order(way: Way, petId: number, idempotencyKey?: string): Promise<void> {
    const post: Post = { path: '/v1/store/orders', key: way.key, body: { petId }, idempotencyKey };
    await this.post(post, way.replica);
  }

  async post(post: Post, replica: number): Promise<void> {
    const { path, key, body, idempotencyKey } = post;
    if (idempotencyKey !== undefined) this.model.posts.push(post);
    const scope = path === '/v1/pets' ? 'pets:write' : 'orders:write';
    const headers = { 'Idempotency-Key': idempotencyKey };
    const answer = await this.#ask('POST', path, { replica, key }, scope, headers, body);
    if (answer) this.judge(post, answer);
  }

  /** Compares the response to a POST whose key was accepted. */
  judge(post: Post, answer: Answer): void {
    const stored = this.model.replayOf(post, this.shop.clock.now());
    if (stored === 'idempotency_key_reused') expect(codeOf(answer)).toBe(stored);
    else if (stored) {
      expect(outcomeOf(answer)).toEqual([201, stored.json]);
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    } else {
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      if (post.path === '/v1/pets') this.#added(post.body, answer);
      else this.#ordered((post.body as Order).petId, answer);
      if (answer.status === 201) this.model.store(post, answer.json, this.shop.clock.now());
    }
  }

  #added(body: object, answer: Answer): void {
    const id = expect.any(Number) as number;
    expect(outcomeOf(answer)).toEqual([201, { status: 'available', ...body, id }]);
    const pet = answer.json as unknown as ShopModel['pets'][number];
    expect(this.model.pets.map((other) => other.id)).not.toContain(pet.id);
    this.model.pets.push({ ...pet });
  }

  #ordered(petId: number, answer: Answer): void {
    const pet = this.model.pets.find(({ id }) => id === petId);
    if (pet?.status !== 'available') {
      expect(codeOf(answer)).toBe('pet_not_available');
      return;
    }
    const id = expect.any(Number) as number;
    const placedAt = new Date(this.shop.clock.now()).toISOString();
    expect(outcomeOf(answer)).toEqual([201, { id, petId, status: 'placed', placedAt }]);
    const order = answer.json as unknown as Order;
    expect(this.model.orders.map((other) => other.id)).not.toContain(order.id);
    this.model.orders.push({ ...order });
    pet.status = 'pending';
  }

  async move(way: Way, id: number, status: string, match: Match): Promise<void> {
    const path = `/v1/store/orders/${id}`;
    const order = this.model.orders.find((one) => one.id === id);
    const tag = await this.#tagFor(path, order, match);
    const headers = { 'If-Match': tag };
    const answer = await this.#ask('PATCH', path, way, 'orders:write', headers, { status });
    if (!answer) return;
    if (!order) expect(codeOf(answer)).toBe('order_not_found');
    else this.judgeMove(order, status, match !== 'an outdated tag', answer);
  }

  judgeMove(order: Order, status: string, isCurrent: boolean, answer: Answer): void {
    const problem = this.model.move(order, status, isCurrent);
    if (problem !== undefined) expect(codeOf(answer)).toBe(problem);
    else {
      expect(outcomeOf(answer)).toEqual([200, order]);
      this.#see(`/v1/store/orders/${order.id}`, answer);
    }
  }

  async #tagFor(path: string, order: Order | undefined, match: Match): Promise<string | undefined> {
    if (match === 'nothing') return undefined;
    if (match === 'any tag') return '*';
    if (match === 'an outdated tag' || !order) return this.model.outdatedTag(path, order);
    return this.currentTag(order);
  }

  async currentTag(order: Order): Promise<string> {
    const path = `/v1/store/orders/${order.id}`;
    const seen = this.model.tagOf(path, order);
    if (seen !== undefined) return seen;
    await this.read({ replica: 0, key: this.shop.firstKey }, path, order, false);
    return this.model.tagOf(path, order)!;
  }

  async readPet(way: Way, id: number, isConditional: boolean): Promise<void> {
    const pet = this.model.pets.find((one) => one.id === id);
    await this.read(way, `/v1/pets/${id}`, pet, isConditional, 'pet_not_found');
  }

  async readOrder(way: Way, id: number, isConditional: boolean): Promise<void> {
    const order = this.model.orders.find((one) => one.id === id);
    await this.read(way, `/v1/store/orders/${id}`, order, isConditional, 'order_not_found');
  }

  /** Gets something, under `If-None-Match` if it was seen before. */
  async read(
    way: Way,
    path: string,
    expected: object | undefined,
    isConditional: boolean,
    notFound = '',
  ): Promise<void> {
    const known = isConditional ? this.model.lastSeen(path) : undefined;
    const headers = { 'If-None-Match': known?.tag };
    const answer = await this.#ask('GET', path, way, scopeOf(path), headers);
    if (!answer) return;
    if (!expected) expect(codeOf(answer)).toBe(notFound);
    else if (known?.text === JSON.stringify(expected)) expect(outcomeOf(answer)).toEqual([304, null]);
    else {
      expect(outcomeOf(answer)).toEqual([200, expected]);
      this.#see(path, answer);
    }
  }

  /** Reads a whole list, each page from another replica. */
  async turnPages(way: Way, path: string, expected: readonly object[]): Promise<void> {
    const seen: unknown[] = [];
    let next: string | undefined = path;
    for (let { replica } = way; next !== undefined; replica = 1 - replica) {
      const answer = await this.#ask('GET', next, { ...way, replica }, scopeOf(path), {});
      if (!answer) return;
      expect(answer.status).toBe(200);
      seen.push(...(answer.json as unknown[]));
      const { pathname, search } = new URL(linked(answer, 'next') ?? 'none:');
      next = pathname === '' ? undefined : pathname + search;
    }
    expect(seen).toEqual(expected);
  }

  /** Both replicas have what the model has. */
  async compareAll(): Promise<void> {
    for (const replica of [0, 1]) {
      const way = { replica, key: this.shop.firstKey };
      await this.turnPages(way, '/v1/pets?limit=100', this.model.pets.toSorted(byNewest));
      await this.turnPages(way, '/v1/store/orders?limit=100', this.model.orders.toSorted(byNewest));
      const keys = await this.shop.keysOf(replica).list();
      expect(keys.map(stateOf).toSorted()).toEqual(this.model.keys.map(stateOf).toSorted());
    }
  }

  /** @returns undefined if the key was rejected, as the model allows */
  async #ask(
    method: string,
    path: string,
    { replica, key }: Way,
    scope: string,
    headers: Headers,
    body?: object,
  ): Promise<Answer | undefined> {
    const allowed = this.model.rejectionsOf(key, scope, this.shop.clock.monotonic());
    const answer = await this.shop.send(method, path, { replica, key, headers, body });
    const rejection = answer.status === 401 || answer.status === 403 ? codeOf(answer) : undefined;
    expect(allowed).toContain(rejection);
    return rejection === undefined ? answer : undefined;
  }

  #see(path: string, { headers, json }: Answer): void {
    expect(this.model.see(path, json, headers.get('etag')!), `the tag of ${path}`).toBe(true);
  }
}

const scopeOf = (path: string) => (path.startsWith('/v1/pets') ? 'pets:read' : 'orders:read');
const codeOf = ({ json }: Answer) => (json as { code?: string } | null)?.code;
const outcomeOf = ({ status, json }: Answer) => [status, json];
const stateOf = ({ name, revokedAt }: Pick<Key, 'name' | 'revokedAt'>) =>
  `${name}: ${revokedAt === undefined ? 'valid' : 'revoked'}`;
