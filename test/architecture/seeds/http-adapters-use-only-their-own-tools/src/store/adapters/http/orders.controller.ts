import type { Sql } from '../../../platform/database/sql.js';

export class OrdersController {
  constructor(readonly sql: Sql) {}
}
