import { applyDecorators } from '@nestjs/common';
import { ListOperation, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { ApiErrors, RequireScope, Stability } from '../../../platform/http/route.decorators.js';
import { PetNotAvailable } from '../../application/order-service.js';
import { InvalidOrderTransition, OrderNotFound } from '../../domain/order-errors.js';
import { OrderBody } from './order.dto.js';

// What the document says of each operation, and which scope it requires.

export const ListOrders = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('orders:read'),
    ListOperation('orders', {
      name: 'listOrders',
      body: OrderBody,
      listName: 'Orders',
      links: { updateOrder: { orderId: '$response.body#/0/id' } },
    }),
  );

export const CreateOrder = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('orders:write'),
    ApiErrors(PetNotAvailable),
    Operation({
      name: 'createOrder',
      summary: 'Places an order for an available animal.',
      description:
        'The animal is `pending` from then on. Of concurrent orders for one animal exactly one succeeds.',
      success: {
        status: 201,
        description: 'The order is placed.',
        body: OrderBody,
        links: { updateOrder: { orderId: '$response.body#/id' } },
      },
    }),
  );

export const UpdateOrder = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('orders:write'),
    ApiErrors(OrderNotFound, InvalidOrderTransition),
    Operation({
      name: 'updateOrder',
      summary: 'Changes the status of an order.',
      description: '`delivered` makes the animal `sold`, `cancelled` makes it `available` again.',
      success: { status: 200, description: 'The updated order.', body: OrderBody },
    }),
  );
