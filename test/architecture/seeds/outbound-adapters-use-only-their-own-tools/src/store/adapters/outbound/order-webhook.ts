import { DuplicateKey } from '../../../platform/database/index.js';

export class OrderWebhook {
  send(): never {
    throw new DuplicateKey();
  }
}
