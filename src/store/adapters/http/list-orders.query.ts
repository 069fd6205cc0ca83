import { PageQuery } from '../../../platform/http/lists/page.query.js';
import { EnumField, PureRules } from '../../../platform/http/validation/dto.decorators.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status.js';

/** The query parameters of the list of orders. */
@PureRules()
export class ListOrdersQuery extends PageQuery {
  @EnumField(ORDER_STATUSES, {
    name: 'OrderStatus',
    description: 'Returns only orders with this status.',
    example: 'placed',
    optional: true,
  })
  status?: OrderStatus;
}
