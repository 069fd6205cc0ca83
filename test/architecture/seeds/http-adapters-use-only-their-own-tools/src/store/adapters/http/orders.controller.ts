import type { JoiningDataSource } from '../../../platform/database/index.js';

export class OrdersController {
  constructor(readonly source: JoiningDataSource) {}
}
