import { DuplicateKey } from '../../../platform/database/database-errors.js';

export class OrdersJob {
  run(): never {
    throw new DuplicateKey();
  }
}
