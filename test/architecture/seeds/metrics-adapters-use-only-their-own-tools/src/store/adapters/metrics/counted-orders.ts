import { Leases } from '../../../platform/database/index.js';

export class CountedOrders {
  readonly leases = new Leases();
}
