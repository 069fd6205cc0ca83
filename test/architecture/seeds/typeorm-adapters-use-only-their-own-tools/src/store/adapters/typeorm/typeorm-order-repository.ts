import { ApiException } from '../../../platform/http/errors/api-exception.js';

export class TypeOrmOrderRepository {
  find(): never {
    throw new ApiException();
  }
}
