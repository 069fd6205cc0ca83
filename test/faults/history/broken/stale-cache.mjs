// A service that serves a cached pet for 1 s after reading it.
import 'reflect-metadata';
import { BatchedPetRepository } from '../../../../dist/pets/adapters/typeorm/batched-pet-repository.js';

const KEPT_MS = 1_000;
const kept = new Map();
const { find } = BatchedPetRepository.prototype;

BatchedPetRepository.prototype.find = async function (id) {
  const { at, pet } = kept.get(id) ?? { at: Number.NEGATIVE_INFINITY };
  if (performance.now() - at < KEPT_MS) return pet;
  const read = await find.call(this, id);
  kept.set(id, { at: performance.now(), pet: read });
  return read;
};
