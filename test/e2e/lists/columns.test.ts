import { Controller, Get, Module, Query, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsString } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { Before, Filter, From, SortField } from '../../../src/platform/http/lists/listing.js';
import { PageQuery } from '../../../src/platform/http/lists/page.query.js';
import { IntegerField, MayBeAbsent } from '../../../src/platform/http/validation/dto.decorators.js';
import { AppointmentsModule } from '../../support/appointments/appointments.module.js';
import { sqlite } from '../../support/engines.js';
import { faultsOfLists } from '../../support/http/list-columns.js';
import { BellsModule } from '../../support/modules/bells-module.js';
import { PostersModule } from '../../support/modules/posters-module.js';
import { startService } from '../../support/service.js';

@Entity()
class Nest {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  eggs!: number;
}

@Entity()
class Roost {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  height!: number;

  @Column()
  wood!: string;
}

@Entity()
class Feeder {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  seeds!: number;
}

const amount = (optional = true) =>
  IntegerField({ min: 0, max: 240, description: 'How many.', example: 3, optional });

class NestsQuery extends PageQuery {
  @amount()
  eggs?: number;

  @SortField({ eggs: 'int64' })
  sort?: string;

  @From('eggs')
  @amount()
  minEggs?: number;

  @Filter(false)
  @IsString()
  day!: string;
}

class FeatheredQuery extends PageQuery {
  @amount()
  feathers?: number;
}

class SortedQuery extends PageQuery {
  @SortField({ eggs: 'int64', weight: 'int64' })
  sort?: string;
}

class RangeQuery extends PageQuery {
  @Before('weight')
  @amount()
  maxWeight?: number;
}

class TaggedQuery extends PageQuery {
  @Filter(false)
  @MayBeAbsent()
  @IsString({ each: true })
  tags?: string[];
}

class RoostsQuery extends PageQuery {
  @amount()
  eggs?: number;

  @amount()
  height?: number;

  @MayBeAbsent()
  @IsString()
  wood?: string;
}

class SeedsQuery extends PageQuery {
  @amount()
  seeds?: number;
}

/** Not a list's. */
class SearchQuery {
  @MayBeAbsent()
  @IsString()
  feathers?: string;
}

/** A controller with a route for each of these queries. */
function controllerWith(path: string, ...queries: Type[]): Type {
  class ListsController {
    [name: string]: unknown;
  }
  for (const query of queries) {
    const descriptor = { value: () => [], configurable: true };
    Object.defineProperty(ListsController.prototype, query.name, descriptor);
    Reflect.defineMetadata('design:paramtypes', [query], ListsController.prototype, query.name);
    Query()(ListsController.prototype, query.name, 0);
    Get(query.name)(ListsController.prototype, query.name, descriptor);
  }
  Controller(path)(ListsController);
  return ListsController;
}

const queries = [FeatheredQuery, SortedQuery, RangeQuery, TaggedQuery, RoostsQuery, SeedsQuery];

@Module({
  imports: [TypeOrmModule.forFeature([Nest, Roost])],
  controllers: [controllerWith('nests', NestsQuery, SearchQuery, ...queries)],
})
class NestsModule {}

@Module({ imports: [TypeOrmModule.forFeature([Feeder])] })
class FeedersModule {}

@Module({ imports: [FeedersModule], controllers: [controllerWith('weather', ...queries.slice(0, 2))] })
class WeatherModule {}

const HERE = 'test/e2e/lists/columns.test.ts';

describe('the queries of lists', () => {
  it('filter, sort and limit by columns', async () => {
    const samples = [AppointmentsModule, BellsModule, PostersModule];
    const { app, stop } = await startService(sqlite, { samples });
    expect(faultsOfLists(app)).toEqual([]);
    await stop();
  });

  it('are told of by file and field if they do not, except where a module has no entities', async () => {
    const { app, stop } = await startService(sqlite, {
      samples: [NestsModule, FeedersModule, WeatherModule],
    });
    const filtered =
      'so the list cannot be filtered by it. Declare it with @Filter(false) if the handler reads it.';
    expect(faultsOfLists(app)).toEqual([
      `${HERE}: FeatheredQuery.feathers is no column of Nest, ${filtered}`,
      `${HERE}: SortedQuery.sort: weight is no column of Nest, so the list cannot be sorted by it. Name a property that has a column.`,
      `${HERE}: RangeQuery.maxWeight: weight is no column of Nest, so the list cannot be limited by it. Name a property that has a column.`,
      `${HERE}: TaggedQuery.tags is an array: a field of a list's query has one value. For ids write @IdsField.`,
      // The entity that has most of the columns is meant.
      `${HERE}: RoostsQuery.eggs is no column of Roost, ${filtered}`,
      // The entity of another module.
      `${HERE}: SeedsQuery.seeds is no column of Nest, ${filtered}`,
    ]);
    await stop();
  });
});
