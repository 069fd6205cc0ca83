import { PageQuery } from '../../../platform/http/paging/page.query.js';
import { WordField } from '../../../platform/http/validation/fields.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status.js';

/** The query parameters of the list of orders. */
export class ListOrdersQuery extends PageQuery {
  @WordField(ORDER_STATUSES, {
    name: 'OrderStatus',
    description: 'Returns only orders with this status.',
    example: 'placed',
    optional: true,
  })
  status?: OrderStatus;
}
