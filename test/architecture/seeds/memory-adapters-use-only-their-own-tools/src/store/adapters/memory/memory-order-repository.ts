import { DuplicateKey } from '../../../platform/database/database-errors.js';

export class MemoryOrderRepository {
  add(): never {
    throw new DuplicateKey();
  }
}
