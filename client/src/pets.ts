import type { components } from './api-types.js';
import { unexpected } from './errors.js';
import { toFollow } from './links.js';
import type { Transport } from './transport.js';

/** An animal. `id` and `categoryId` are bigint. */
export type Pet = components['schemas']['Pet'];
/** What an animal is made of; `status` is `available` if left out. */
export type NewPet = components['schemas']['NewPet'];
export type PetStatus = components['schemas']['PetStatus'];

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, waiting included; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /** Only animals with this status; all if left out. */
  readonly status?: PetStatus;
  /** How many animals are fetched at a time, 1 to 100; the service decides if left out. */
  readonly pageSize?: number;
}

export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key add the animal once; 1 to 255 visible ASCII characters, no `"` and no `\`. Give your own
   * if you want to call again after your program has ended; each call makes a random one otherwise.
   */
  readonly idempotencyKey?: string;
}

const IDEMPOTENCY_KEY = /^[!#-[\]-~]{1,255}$/;

/** The catalogue of animals. Each function throws PetStoreError or PetStoreUnreachable. */
export class Pets {
  readonly #transport: Transport;
  readonly #address: string;

  constructor(transport: Transport, baseUrl: string) {
    this.#transport = transport;
    this.#address = `${baseUrl}/pets`;
  }

  /**
   * All animals, newest first, or those with a status. A page is fetched when its first animal is asked for, and none
   * any more once the loop is left. No animal comes twice, however many are added meanwhile.
   */
  async *list({ status, pageSize, signal }: ListOptions = {}): AsyncGenerator<Pet, void, undefined> {
    let url: URL | undefined = new URL(this.#address);
    if (status !== undefined) url.searchParams.set('status', status);
    if (pageSize !== undefined) url.searchParams.set('limit', String(pageSize));
    while (url) {
      const { answer, body } = await this.#transport.send({ operation: 'listPets', url, signal });
      // The service sets `Link` on the last page too. Where it does not arrive the list would seem to end here.
      if (!Array.isArray(body) || !answer.headers.has('link')) throw unexpected(answer, 'no page of a list');
      url = toFollow(answer, 'next');
      yield* body as Pet[];
    }
  }

  /** Adds an animal, once, even if it takes several tries. */
  async create(pet: NewPet, { idempotencyKey, signal }: CreateOptions = {}): Promise<Pet> {
    const post = { body: pet, idempotencyKey: idempotencyKey ?? crypto.randomUUID() };
    if (!IDEMPOTENCY_KEY.test(post.idempotencyKey))
      throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters without " and \\.');
    const call = { operation: 'createPet', url: new URL(this.#address), signal, post };
    return (await this.#transport.send(call)).body as Pet;
  }

  /**
   * One animal.
   * @deprecated The service will end this operation: each call tells `onDeprecated` when, and what replaces it.
   */
  async get(id: Pet['id'], { signal }: CallOptions = {}): Promise<Pet> {
    const url = new URL(`${this.#address}/${encodeURIComponent(String(id))}`);
    return (await this.#transport.send({ operation: 'getPet', url, signal })).body as Pet;
  }
}
