import { ApiSchema } from '@nestjs/swagger';
import type { Int64 } from '../../../kernel/index.js';
import { EnumField, IdField, InstantField, PageQuery, ReadOnly } from '../../../platform/http/index.js';
import { ORDER_MOVES, ORDER_STATUSES, type OrderMove, type OrderStatus } from '../../domain/order-status.js';
import type { Order } from '../../domain/order.js';

const STATUS = { name: 'OrderStatus', description: 'Status of the order.', example: 'placed' };

/** The query parameters of the list of orders. */
export class ListOrdersQuery extends PageQuery {
  @EnumField(ORDER_STATUSES, {
    ...STATUS,
    description: 'Returns only orders with this status.',
    optional: true,
  })
  status?: OrderStatus;

  @IdField({ description: 'Returns only orders for this animal.', example: 1, optional: true })
  petId?: Int64;
}

/** The body that places an order. */
@ApiSchema({ name: 'NewOrder' })
export class NewOrderBody {
  @IdField({ description: 'Identifier of the ordered animal.', example: 1 })
  petId!: Int64;

  @ReadOnly() id?: never;
  @ReadOnly() status?: never;
  @ReadOnly() placedAt?: never;
}

/** The body that changes the status of an order. */
@ApiSchema({ name: 'OrderChange' })
export class OrderChangeBody {
  @EnumField(ORDER_MOVES, {
    name: 'OrderMove',
    description: 'The new status of the order.',
    example: 'approved',
  })
  status!: OrderMove;
}

/** An order as it is returned. */
@ApiSchema({ name: 'Order' })
export class OrderBody {
  @IdField({ description: 'Unique identifier, which the service assigns on creation.', example: 1 })
  id!: Int64;

  @IdField({ description: 'Identifier of the ordered animal.', example: 1 })
  petId!: Int64;

  @EnumField(ORDER_STATUSES, STATUS)
  status!: OrderStatus;

  @InstantField({
    description: 'The time at which the order was placed, in UTC (RFC 3339).',
    example: '2026-11-20T12:00:00.000Z',
  })
  placedAt!: Date;
}

export function toOrderBody(order: Order): OrderBody {
  return {
    id: order.id,
    petId: order.petId,
    status: order.status,
    placedAt: order.placedAt,
  };
}
