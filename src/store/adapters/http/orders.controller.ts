import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Int64 } from '../../../kernel/int64.js';
import { Id } from '../../../platform/http/id.js';
import { DescribedTag, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { ApiErrors, RequireScope, Stability } from '../../../platform/http/route.decorators.js';
import { Idempotent, type Once } from '../../../platform/http/idempotency/idempotency.js';
import { Pager } from '../../../platform/http/lists/pager.js';
import { IfMatch, type Precondition } from '../../../platform/http/precondition.js';
import { OrderService, PetNotAvailable } from '../../application/order-service.js';
import { InvalidOrderTransition, OrderNotFound } from '../../domain/order-errors.js';
import { ListOrdersQuery } from './list-orders.query.js';
import { NewOrderBody, OrderBody, OrderChangeBody, toOrderBody } from './order.dto.js';

@DescribedTag('store', 'Orders for animals, an experimental area that an operator may have left out.')
@Controller('store/orders')
export class OrdersController {
  constructor(
    private readonly orders: OrderService,
    private readonly pager: Pager,
  ) {}

  @Get()
  @Stability('experimental')
  @RequireScope('orders:read')
  @ApiErrors('invalid_cursor')
  @Operation({
    name: 'listOrders',
    summary: 'Lists orders.',
    description:
      'Newest first (largest id first). The next page is in the `Link` header; the body is a bare array.',
    success: {
      status: 200,
      description: 'The list of orders; empty when nothing matches.',
      body: OrderBody,
      listName: 'Orders',
      headers: {
        Link: { description: 'The `next` page, absent on the last one, and the `first`.', required: true },
      },
      links: { updateOrder: { orderId: '$response.body#/0/id' } },
    },
  })
  list(@Query() query: ListOrdersQuery, @Res({ passthrough: true }) response: Response) {
    return this.pager.page(
      response,
      '/store/orders',
      query,
      (selection) => this.orders.list(selection),
      toOrderBody,
    );
  }

  @Post()
  @Stability('experimental')
  @RequireScope('orders:write')
  @ApiErrors(PetNotAvailable)
  @Operation({
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
  })
  place(@Body() { petId }: NewOrderBody, @Idempotent() once: Once) {
    return once(async () => toOrderBody(await this.orders.place(BigInt(petId))));
  }

  @Patch(':orderId')
  @Stability('experimental')
  @RequireScope('orders:write')
  @ApiErrors(OrderNotFound, InvalidOrderTransition)
  @Operation({
    name: 'updateOrder',
    summary: 'Changes the status of an order.',
    description: '`delivered` makes the animal `sold`, `cancelled` makes it `available` again.',
    success: { status: 200, description: 'The updated order.', body: OrderBody },
  })
  async move(
    @Id('orderId') id: Int64,
    @Body() { status }: OrderChangeBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    return toOrderBody(await this.orders.move(id, status, ifMatch(toOrderBody)));
  }
}
