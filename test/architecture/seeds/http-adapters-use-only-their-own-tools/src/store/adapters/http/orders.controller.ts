import type { JoiningDataSource } from '../../../platform/database/data-source.js';

export class OrdersController {
  constructor(readonly source: JoiningDataSource) {}
}
