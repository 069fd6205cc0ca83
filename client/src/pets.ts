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

export interface PetListOptions extends ListOptions<PetStatus> {
  /** Only these animals, 1 to 100; one that is not there is left out. */
  readonly id?: readonly Pet['id'][] | undefined;
}

/**
 * All animals, newest first, or those with a status or with some ids. A page is fetched when its first animal is asked for, and none
 * any more once the loop is left. No animal comes twice, however many are added meanwhile.
 */
export function listPets(
  transport: Transport,
  options: PetListOptions = {},
): AsyncGenerator<Pet, void, undefined> {
  return fetchAll((cursor) => listPetsPage(transport, { ...options, cursor }), options.cursor);
}

/** One page of that list, and the cursor of the next. */
export function listPetsPage(
  transport: Transport,
  { id: ids, ...options }: PetListOptions = {},
): ApiPromise<Page<Pet>> {
  return fetchPage(transport, 'listPets', '/pets', options, () => ({
    id: ids?.map((id) => readInteger('id', id)).join(),
  }));
}

/** Adds an animal, once, even if it takes several tries. */
export function createPet(
  transport: Transport,
  pet: NewPet,
  { idempotencyKey: key, ...options }: CreateOptions = {},
): ApiPromise<Pet> {
  return transport.send(() => {
    readInteger('categoryId', pet?.categoryId);
    const idempotencyKey = readIdempotencyKey(key);
    return { operation: 'createPet', method: 'POST', path: '/pets', body: pet, idempotencyKey, options };
  });
}

/**
 * One animal.
 * @deprecated The service will end this operation: the client warns of it once, or tells `onDeprecated` each time.
 */
export function getPet(transport: Transport, id: Pet['id'], options: CallOptions = {}): ApiPromise<Pet> {
  return transport.send(() => {
    const path = `/pets/${readInteger('id', id)}`;
    return { operation: 'getPet', method: 'GET', path, options };
  });
}

/** The catalogue of animals. Each function throws PetStoreError or PetStoreUnreachable. */
export class Pets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All animals, newest first, or those with a status or with some ids, page by page: {@link listPets}. */
  list(options?: PetListOptions): AsyncGenerator<Pet, void, undefined> {
    return listPets(this.#transport, options);
  }

  /** One page of that list, and the cursor of the next: {@link listPetsPage}. */
  listPage(options?: PetListOptions): ApiPromise<Page<Pet>> {
    return listPetsPage(this.#transport, options);
  }

  /** Adds an animal, once, even if it takes several tries: {@link createPet}. */
  create(pet: NewPet, options?: CreateOptions): ApiPromise<Pet> {
    return createPet(this.#transport, pet, options);
  }

  /**
   * One animal: {@link getPet}.
   * @deprecated The service will end this operation: the client warns of it once, or tells `onDeprecated` each time.
   */
  get(id: Pet['id'], options?: CallOptions): ApiPromise<Pet> {
    return getPet(this.#transport, id, options);
  }
}
