import type { components } from './api-types.js';
import {
  type CallOptions,
  type CreateOptions,
  isGiven,
  readIdempotencyKey,
  readInteger,
  readOptions,
} from './options.js';
import {
  fetchPage,
  type List,
  type ListOptions,
  listOf,
  type Page,
  pageRequest,
  withCursor,
} from './pages.js';
import type { ApiPromise } from './response.js';
import type { Transport } from './transport.js';

/** A pet. `id` and `categoryId` are bigint. */
export type Pet = components['schemas']['Pet'];
/** The data of a new pet. If `status` is left out, it is `available`. */
export type NewPet = components['schemas']['NewPet'];
export type PetStatus = components['schemas']['PetStatus'];

export interface PetListOptions extends ListOptions<PetStatus> {
  /** Only this pet, or these pets, 1 to 100 ids. A pet that does not exist is left out. */
  readonly id?: Pet['id'] | readonly Pet['id'][] | undefined;
}

/**
 * All pets, newest first. The options select the pets with a status or with some ids. Each page is fetched when its first pet is
 * requested, so after the loop is left, no further page is fetched. No pet comes twice, even if pets are added meanwhile.
 */
export function listPets(transport: Transport, options?: PetListOptions): List<Pet> {
  return listOf((cursor) => listPetsPage(transport, withCursor(options, cursor)));
}

/** One page of the list of pets, and the cursor of the next page. */
export function listPetsPage(transport: Transport, options?: PetListOptions): ApiPromise<Page<Pet>> {
  return fetchPage(transport, () => {
    const { id: ids, ...others } = readOptions(options, 'listPets');
    const id = isGiven(ids)
      ? [ids]
          .flat()
          .map((one) => readInteger('id', one))
          .join()
      : undefined;
    return pageRequest('listPets', '/pets', others, { id });
  });
}

/** Adds a pet once, even if it takes several tries. */
export function createPet(transport: Transport, pet: NewPet, options?: CreateOptions): ApiPromise<Pet> {
  return transport.send(() => {
    const { idempotencyKey: key, ...others } = readOptions(options, 'createPet');
    readInteger('categoryId', pet?.categoryId);
    const idempotencyKey = readIdempotencyKey(key);
    const path = '/pets';
    return { operation: 'createPet', method: 'POST', path, body: pet, idempotencyKey, options: others };
  });
}

/**
 * One pet.
 * @deprecated The service will remove this operation. Use {@link listPets} with `id`. The client warns of the removal once, or calls
 * `onDeprecated` each time.
 */
export function getPet(transport: Transport, id: Pet['id'], options?: CallOptions): ApiPromise<Pet> {
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
  list(options?: PetListOptions): List<Pet> {
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
   * @deprecated The service will remove this operation. Use {@link list} with `id`. The client warns of the removal once, or calls
   * `onDeprecated` each time.
   */
  get(id: Pet['id'], options?: CallOptions): ApiPromise<Pet> {
    return getPet(this.#transport, id, options);
  }
}
