import { HttpRefusal } from '../../../platform/http/errors/http-refusal.js';

export class TypeOrmOrderRepository {
  find(): never {
    throw new HttpRefusal();
  }
}
