/** The plain repository: each pet, page and new pet has a statement of its own. */
export { TypeOrmPetRepository as BatchedPetRepository } from '../../../dist/pets/adapters/typeorm/typeorm-pet-repository.js';
