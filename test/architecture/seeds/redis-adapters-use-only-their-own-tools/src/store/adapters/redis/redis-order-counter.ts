import { DuplicateKey } from '../../../platform/database/index.js';

export class RedisOrderCounter {
  take(): never {
    throw new DuplicateKey();
  }
}
