export { PetStoreClient, type PetStoreOptions } from './client.js';
export type { Deprecation } from './deprecation.js';
export { type ErrorDetail, PetStoreError, PetStoreUnreachable } from './errors.js';
export type { CallOptions, CreateOptions, ListOptions, NewPet, Pet, Pets, PetStatus } from './pets.js';
