import { DuplicateKey } from '../../../platform/database/errors.js';

export class OrdersJob {
  run(): never {
    throw new DuplicateKey();
  }
}
