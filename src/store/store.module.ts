import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, UnitOfWork } from '../kernel/index.js';
import { PetReservations, PetsModule } from '../pets/index.js';
import { Migrations, sequence } from '../platform/database/index.js';
import { provide } from '../platform/provide.js';
import { OrdersController } from './adapters/http/orders.controller.js';
import { CreateOrders } from './adapters/typeorm/create-orders.migration.js';
import { IndexOrdersByPet } from './adapters/typeorm/index-orders-by-pet.migration.js';
import { OrderSchema } from './adapters/typeorm/order.schema.js';
import { TypeOrmOrderRepository } from './adapters/typeorm/typeorm-order-repository.js';
import { OrderService } from './application/order-service.js';
import { OrderRepository } from './ports/order-repository.js';

/** The store area: orders for pets. */
@Migrations(CreateOrders, IndexOrdersByPet)
@Module({
  imports: [PetsModule, TypeOrmModule.forFeature([OrderSchema])],
  controllers: [OrdersController],
  providers: [
    { provide: OrderRepository, useClass: TypeOrmOrderRepository },
    provide(OrderService, OrderRepository, PetReservations, sequence('orders'), UnitOfWork, Clock),
  ],
})
export class StoreModule {}
