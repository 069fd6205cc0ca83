import { PetNotAvailable } from '../../../pets/index.js';
import { CreateOperation, ListOperation, Operation } from '../../../platform/http/index.js';
import { InvalidOrderTransition, OrderNotFound } from '../../domain/order-errors.js';
import { OrderBody } from './order.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListOrders = () =>
  ListOperation('orders', {
    name: 'listOrders',
    scope: 'orders:read',
    stability: 'experimental',
    body: OrderBody,
    listName: 'Orders',
    links: {
      getOrder: { orderId: '$response.body#/0/id' },
      updateOrder: { orderId: '$response.body#/0/id' },
    },
  });

export const CreateOrder = () =>
  CreateOperation('order', {
    name: 'createOrder',
    scope: 'orders:write',
    stability: 'experimental',
    errors: [PetNotAvailable],
    agentDescription:
      'The animal becomes `pending`. If several clients order one animal at the same time, exactly one order succeeds.',
    summary: 'Places an order for an available animal.',
    description:
      'The animal becomes `pending`. If several clients order one animal at the same time, exactly one order succeeds. Send an `Idempotency-Key`, so that you can retry safely.',
    body: OrderBody,
    links: { getOrder: { orderId: '$response.body#/id' }, updateOrder: { orderId: '$response.body#/id' } },
  });

export const GetOrder = () =>
  Operation({
    name: 'getOrder',
    scope: 'orders:read',
    stability: 'experimental',
    errors: [OrderNotFound],
    summary: 'Returns one order by identifier.',
    description:
      'To change the order only if it is still the same, send its `ETag` in the `If-Match` of updateOrder.',
    success: {
      status: 200,
      description: 'The requested order.',
      body: OrderBody,
      links: { updateOrder: { orderId: '$response.body#/id' } },
    },
  });

export const UpdateOrder = () =>
  Operation({
    name: 'updateOrder',
    scope: 'orders:write',
    stability: 'experimental',
    errors: [OrderNotFound, InvalidOrderTransition],
    agentDescription:
      '`delivered` makes the animal `sold`. `cancelled` makes it `available` again. Both are final. If the order already has the status, nothing changes.',
    summary: 'Changes the status of an order.',
    description:
      '`delivered` makes the animal `sold`. `cancelled` makes it `available` again. Both are final. If the order already has the status, the response is 200, even with an outdated `If-Match`.',
    success: { status: 200, description: 'The updated order.', body: OrderBody },
  });
