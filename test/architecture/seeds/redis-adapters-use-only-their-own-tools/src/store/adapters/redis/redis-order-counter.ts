import { DuplicateKey } from '../../../platform/database/errors.js';

export class RedisOrderCounter {
  take(): never {
    throw new DuplicateKey();
  }
}
