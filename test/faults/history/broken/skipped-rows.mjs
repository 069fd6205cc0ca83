// A service whose pages skip one animal at each page boundary.
import 'reflect-metadata';
import { BatchedPetRepository } from '../../../../dist/pets/adapters/typeorm/batched-pet-repository.js';

const { list } = BatchedPetRepository.prototype;

BatchedPetRepository.prototype.list = async function (selection) {
  const { before, limit } = selection;
  if (before === undefined) return list.call(this, selection);
  const more = await list.call(this, { ...selection, limit: limit + 1 });
  return more.slice(1);
};
