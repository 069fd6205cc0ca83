import type { components } from './api-types.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey, readInteger } from './options.js';
import { fetchAll, fetchPage, type ListOptions, type Page } from './pages.js';
import type { ApiPromise } from './response.js';
import type { Transport } from './transport.js';

/** An animal. `id` and `categoryId` are bigint. */
export type Pet = components['schemas']['Pet'];
/** What an animal is made of; `status` is `available` if left out. */
export type NewPet = components['schemas']['NewPet'];
export type PetStatus = components['schemas']['PetStatus'];

/** The catalogue of animals. Each function throws PetStoreError or PetStoreUnreachable. */
export class Pets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * All animals, newest first, or those with a status. A page is fetched when its first animal is asked for, and none
   * any more once the loop is left. No animal comes twice, however many are added meanwhile.
   */
  list(options: ListOptions<PetStatus> = {}): AsyncGenerator<Pet, void, undefined> {
    return fetchAll((cursor) => this.listPage({ ...options, cursor }), options.cursor);
  }

  /** One page of that list, and the cursor of the next. */
  listPage(options?: ListOptions<PetStatus>): ApiPromise<Page<Pet>> {
    return fetchPage(this.#transport, 'listPets', '/pets', options);
  }

  /** Adds an animal, once, even if it takes several tries. */
  create(pet: NewPet, { idempotencyKey: key, ...options }: CreateOptions = {}): ApiPromise<Pet> {
    return this.#transport.send(() => {
      readInteger('categoryId', pet?.categoryId);
      const idempotencyKey = readIdempotencyKey(key);
      return { operation: 'createPet', method: 'POST', path: '/pets', body: pet, idempotencyKey, options };
    });
  }

  /**
   * One animal.
   * @deprecated The service will end this operation: the client warns of it once, or tells `onDeprecated` each time.
   */
  get(id: Pet['id'], options: CallOptions = {}): ApiPromise<Pet> {
    return this.#transport.send(() => ({
      operation: 'getPet',
      method: 'GET',
      path: `/pets/${readInteger('id', id)}`,
      options,
    }));
  }
}
