import { ApiException } from '../../../platform/http/index.js';

export class OrdersJob {
  run(): never {
    throw new ApiException();
  }
}
