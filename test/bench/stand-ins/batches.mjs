/** The repository without batches: each pet, page and new pet has its own statement. */
export { TypeOrmPetRepository as BatchedPetRepository } from '../../../dist/pets/adapters/typeorm/typeorm-pet-repository.js';
