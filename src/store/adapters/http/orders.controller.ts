import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import type { Int64 } from '../../../kernel/index.js';
import {
  DescribedTag,
  Id,
  Idempotent,
  IfMatch,
  Location,
  type Once,
  Paged,
  type Paging,
  type Precondition,
  type SetLocation,
} from '../../../platform/http/index.js';
import { OrderNotFound } from '../../domain/order-errors.js';
import { OrderService } from '../../application/order-service.js';
import { ListOrdersQuery, NewOrderBody, OrderChangeBody, toOrderBody } from './order.dto.js';
import { CreateOrder, GetOrder, ListOrders, UpdateOrder } from './orders.operations.js';

@DescribedTag('store', 'Orders for animals. This area is experimental.')
@Controller('store/orders')
export class OrdersController {
  constructor(private readonly orders: OrderService) {}

  @Get()
  @ListOrders()
  list(@Query() query: ListOrdersQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.orders.list(selection), toOrderBody);
  }

  @Post()
  @CreateOrder()
  place(@Body() body: NewOrderBody, @Idempotent() once: Once, @Location() setLocation: SetLocation) {
    return once(async () => {
      const order = await this.orders.place(body);
      setLocation(order.id);
      return toOrderBody(order);
    });
  }

  @Get(':orderId')
  @GetOrder()
  async get(@Id('orderId', OrderNotFound) id: Int64) {
    return toOrderBody(await this.orders.get(id));
  }

  @Patch(':orderId')
  @UpdateOrder()
  async move(
    @Id('orderId', OrderNotFound) id: Int64,
    @Body() { status }: OrderChangeBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    return toOrderBody(await this.orders.move(id, status, ifMatch(toOrderBody)));
  }
}
