import type { components } from './api-types.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey, readInteger } from './options.js';
import { fetchAll, fetchPage, type ListOptions, type Page } from './pages.js';
import type { ApiPromise } from './response.js';
import type { Transport } from './transport.js';

/** A pet. `id` and `categoryId` are bigint. */
export type Pet = components['schemas']['Pet'];
/** The data of a new pet. If `status` is left out, it is `available`. */
export type NewPet = components['schemas']['NewPet'];
export type PetStatus = components['schemas']['PetStatus'];

export interface PetListOptions extends ListOptions<PetStatus> {
  /** Only these pets, 1 to 100 ids. A pet that does not exist is left out. */
  readonly id?: readonly Pet['id'][] | undefined;
}

/**
 * All pets, newest first. The options select the pets with a status or with some ids. Each page is fetched when its first pet is
 * requested, so after the loop is left, no further page is fetched. No pet comes twice, even if pets are added meanwhile.
 */
export function listPets(
  transport: Transport,
  options: PetListOptions = {},
): AsyncGenerator<Pet, void, undefined> {
  return fetchAll((cursor) => listPetsPage(transport, { ...options, cursor }), options.cursor);
}

/** One page of the list of pets, and the cursor of the next page. */
export function listPetsPage(
  transport: Transport,
  { id: ids, ...options }: PetListOptions = {},
): ApiPromise<Page<Pet>> {
  return fetchPage(transport, 'listPets', '/pets', options, () => ({
    id: ids?.map((id) => readInteger('id', id)).join(),
  }));
}

/** Adds a pet once, even if it takes several tries. */
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
 * One pet.
 * @deprecated The service will remove this operation. The client warns of that once, or calls `onDeprecated` each time.
 */
export function getPet(transport: Transport, id: Pet['id'], options: CallOptions = {}): ApiPromise<Pet> {
  return transport.send(() => {
    const path = `/pets/${readInteger('id', id)}`;
    return { operation: 'getPet', method: 'GET', path, options };
  });
}

/** The catalogue of pets. Each function throws PetStoreError or PetStoreUnreachable. */
export class Pets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All pets, newest first, or the pets with a status or with some ids, page by page: {@link listPets}. */
  list(options?: PetListOptions): AsyncGenerator<Pet, void, undefined> {
    return listPets(this.#transport, options);
  }

  /** One page of the list of pets, and the cursor of the next page: {@link listPetsPage}. */
  listPage(options?: PetListOptions): ApiPromise<Page<Pet>> {
    return listPetsPage(this.#transport, options);
  }

  /** Adds a pet once, even if it takes several tries: {@link createPet}. */
  create(pet: NewPet, options?: CreateOptions): ApiPromise<Pet> {
    return createPet(this.#transport, pet, options);
  }

  /**
   * One pet: {@link getPet}.
   * @deprecated The service will remove this operation. The client warns of that once, or calls `onDeprecated` each time.
   */
  get(id: Pet['id'], options?: CallOptions): ApiPromise<Pet> {
    return getPet(this.#transport, id, options);
  }
}
