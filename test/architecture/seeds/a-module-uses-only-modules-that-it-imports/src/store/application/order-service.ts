import type { PetLocks } from '../../pets/index.js';

export class OrderService {
  declare readonly pets: PetLocks;
}
