import { ApiException } from '../../../platform/http/index.js';

export class TypeOrmOrderRepository {
  find(): never {
    throw new ApiException();
  }
}
