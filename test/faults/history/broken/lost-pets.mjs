// A service that acknowledges every 25th pet without storing it.
import 'reflect-metadata';
import { BatchedPetRepository } from '../../../../dist/pets/adapters/typeorm/batched-pet-repository.js';

const EVERY = 25;
let count = 0;
const { add } = BatchedPetRepository.prototype;

BatchedPetRepository.prototype.add = function (...given) {
  count += 1;
  return count % EVERY === 0 ? Promise.resolve() : add.apply(this, given);
};
