import type { WrittenValue } from '../../src/platform/json/write-json.js';

/** In ms: until when a replica may accept a revoked key, and how long it knows an `Idempotency-Key`. */
const REVOCATION_MS = 5_000;
const RETENTION_MS = 24 * 3_600_000;

export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  status: string;
}

export interface Order {
  readonly id: number;
  readonly petId: number;
  status: string;
  readonly placedAt: string;
}

/** An API key. Times are monotonic, in ms. */
export interface Key {
  readonly name: string;
  readonly secret: string;
  /** Without scopes the key may do everything. */
  readonly scopes?: readonly string[] | undefined;
  readonly id?: bigint;
  revokedAt?: number;
}

export interface Post {
  readonly path: '/v1/pets' | '/v1/store/orders';
  readonly key: Key;
  readonly body: object;
  readonly idempotencyKey: string | undefined;
}

interface Stored {
  readonly body: string;
  readonly json: WrittenValue;
  readonly storedAt: number;
}

/** What the guide promises about the service, for one client that sends one request after the other. */
export class ShopModel {
  readonly pets: Pet[] = [];
  readonly orders: Order[] = [];
  readonly keys: Key[];
  /** All requests with an `Idempotency-Key`. */
  readonly posts: Post[] = [];
  readonly #stored = new Map<string, Stored>();
  /** By path: each representation that was seen, as JSON, with its entity tag. The last one was seen last. */
  readonly #seen = new Map<string, Map<string, string>>();

  constructor(firstKey: Key) {
    this.keys = [firstKey];
  }

  /** The id of a pet, newest first. Without such a pet, an id that nothing has. */
  petId(index: number | 'none'): number {
    return idAt(this.pets, index);
  }

  orderId(index: number | 'none'): number {
    return idAt(this.orders, index);
  }

  key(index: number): Key {
    return this.keys[index % this.keys.length]!;
  }

  /** The code of the error that a request with this key gets before anything else is checked. For some seconds two outcomes are right. */
  rejectionsOf({ scopes, revokedAt }: Key, scope: string, now: number): (string | undefined)[] {
    const ofScope = scopes && !scopes.includes(scope) ? 'insufficient_scope' : undefined;
    if (revokedAt === undefined) return [ofScope];
    return now - revokedAt < REVOCATION_MS ? [ofScope, 'invalid_api_key'] : ['invalid_api_key'];
  }

  /** The response that a repeated request gets. Undefined if the request is executed. */
  replayOf(post: Post, now: number): { readonly json: WrittenValue } | 'idempotency_key_reused' | undefined {
    const stored = this.#stored.get(nameOf(post));
    if (post.idempotencyKey === undefined || !stored || now - stored.storedAt >= RETENTION_MS)
      return undefined;
    return stored.body === JSON.stringify(post.body) ? stored : 'idempotency_key_reused';
  }

  store(post: Post, json: WrittenValue, now: number): void {
    if (post.idempotencyKey !== undefined)
      this.#stored.set(nameOf(post), { body: JSON.stringify(post.body), json, storedAt: now });
  }

  /** Moves an order and its pet. @returns the code of the error that the client gets */
  move(order: Order, status: string, isCurrent: boolean): string | undefined {
    if (order.status === status) return undefined;
    if (!isCurrent) return 'precondition_failed';
    if (isFinal(order) || status === 'placed') return 'invalid_transition';
    order.status = status;
    const pet = this.pets.find(({ id }) => id === order.petId)!;
    if (status === 'delivered') pet.status = 'sold';
    if (status === 'cancelled') pet.status = 'available';
    return undefined;
  }

  /** Notes the entity tag of a representation. @returns whether equal representations, and no others, have equal tags */
  see(path: string, json: unknown, tag: string): boolean {
    const text = JSON.stringify(json);
    const tags = this.#seen.get(path) ?? new Map<string, string>();
    const known = tags.get(text);
    const isNew = ![...tags.values()].includes(tag);
    tags.delete(text);
    this.#seen.set(path, tags.set(text, tag));
    return known === undefined ? isNew : known === tag;
  }

  /** What was seen last at this path. */
  lastSeen(path: string): { readonly text: string; readonly tag: string } | undefined {
    const [text, tag] = [...(this.#seen.get(path) ?? [])].at(-1) ?? [];
    return text === undefined || tag === undefined ? undefined : { text, tag };
  }

  tagOf(path: string, json: unknown): string | undefined {
    return this.#seen.get(path)?.get(JSON.stringify(json));
  }

  /** The tag of an earlier representation, or a tag that nothing ever had. */
  outdatedTag(path: string, json: unknown): string {
    const earlier = [...(this.#seen.get(path) ?? [])].find(([text]) => text !== JSON.stringify(json));
    return earlier?.[1] ?? '"unknown"';
  }
}

function idAt(things: readonly { readonly id: number }[], index: number | 'none'): number {
  const at = index === 'none' ? -1 : index % things.length;
  return things.toSorted(byNewest)[at]?.id ?? Number.MAX_SAFE_INTEGER;
}

export const byNewest = (one: { readonly id: number }, other: { readonly id: number }): number =>
  other.id - one.id;

export const isFinal = ({ status }: Order): boolean => status === 'delivered' || status === 'cancelled';

const nameOf = ({ key, path, idempotencyKey }: Post) => [key.secret, path, idempotencyKey].join(' ');
