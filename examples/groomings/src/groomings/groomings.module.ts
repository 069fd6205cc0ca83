import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events, UnitOfWork } from '../kernel/index.js';
import { PetAdded, PetsModule } from '../pets/index.js';
import { Migrations, sequence } from '../platform/database/index.js';
import { provide } from '../platform/provide.js';
import { GroomingsController } from './adapters/http/groomings.controller.js';
import { CreateGroomings } from './adapters/typeorm/create-groomings.migration.js';
import { GroomingSchema } from './adapters/typeorm/grooming.schema.js';
import { TypeOrmGroomingRepository } from './adapters/typeorm/typeorm-grooming-repository.js';
import { Groomings } from './application/groomings.js';
import { GroomingOffered } from './domain/grooming-events.js';
import { GroomingRepository } from './ports/grooming-repository.js';
import { GroomersController } from './adapters/http/groomers.controller.js';
import { CreateGroomers } from './adapters/typeorm/create-groomers.migration.js';
import { GroomerSchema } from './adapters/typeorm/groomer.schema.js';
import { TypeOrmGroomerRepository } from './adapters/typeorm/typeorm-groomer-repository.js';
import { Groomers } from './application/groomers.js';
import { GroomerRepository } from './ports/groomer-repository.js';

/** The area of groomings. */
@Migrations(CreateGroomings, CreateGroomers)
@Module({
  imports: [PetsModule, TypeOrmModule.forFeature([GroomingSchema, GroomerSchema])],
  controllers: [GroomingsController, GroomersController],
  providers: [
    { provide: GroomingRepository, useClass: TypeOrmGroomingRepository },
    provide(Groomings, GroomingRepository, GroomerRepository, sequence('groomings'), UnitOfWork),
    { provide: GroomerRepository, useClass: TypeOrmGroomerRepository },
    provide(Groomers, GroomerRepository, sequence('groomers')),
  ],
})
export class GroomingsModule {
  constructor(events: Events) {
    events.subscribe(PetAdded, 'groomings', async ({ id, name }) => {
      await events.record(GroomingOffered, async () => ({ id, name }));
    });
  }
}
