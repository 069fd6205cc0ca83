import { Controller, Module, type Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsString } from 'class-validator';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLists } from '../../../../../src/platform/http/lists/check-lists.js';
import { Before, Filter, From, SortField } from '../../../../../src/platform/http/lists/listing.js';
import type { Route } from '../../../../../src/platform/http/routes.js';
import { PageQuery } from '../../../../../src/platform/http/lists/page.query.js';
import { IntegerField, MayBeAbsent } from '../../../../../src/platform/http/validation/dto.decorators.js';

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

@Controller('nests')
class NestsController {}

@Controller('weather')
class WeatherController {}

@Module({ imports: [TypeOrmModule.forFeature([Nest, Roost])], controllers: [NestsController] })
class NestsModule {}

@Module({ imports: [TypeOrmModule.forFeature([Feeder])] })
class FeedersModule {}

@Module({ imports: [FeedersModule], controllers: [WeatherController] })
class WeatherModule {}

describe('the queries of lists', () => {
  let app: TestingModule;
  beforeAll(async () => {
    const entities = [Nest, Roost, Feeder];
    const database = TypeOrmModule.forRoot({ type: 'better-sqlite3', database: ':memory:', entities });
    const imports = [database, NestsModule, FeedersModule, WeatherModule];
    app = await Test.createTestingModule({ imports }).compile();
  });
  afterAll(() => app.close());

  const check = (controller: Type, ...queries: readonly (Type | undefined)[]) => {
    const parameters = queries.map((declaredType) => ({ kind: RouteParamtypes.QUERY, declaredType }));
    const routes = [{ controller, property: 'list', parameters }] as unknown as Route[];
    checkLists(routes, app.get(ModulesContainer), app.get(DataSource));
  };

  it('may have what an entity of the module has a column for, and what is declared to be none', () => {
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
    expect(() => check(NestsController, NestsQuery)).not.toThrow();
  });

  it.each([
    [
      FeatheredQuery,
      'FeatheredQuery.feathers is no column of Nest, so the list cannot be filtered by it. Declare it with @Filter(false) if the handler reads it.',
    ],
    [
      SortedQuery,
      'SortedQuery.sort: weight is no column of Nest, so the list cannot be sorted by it. Name a property that has a column.',
    ],
    [
      RangeQuery,
      'RangeQuery.maxWeight: weight is no column of Nest, so the list cannot be limited by it. Name a property that has a column.',
    ],
    [TaggedQuery, "TaggedQuery.tags is an array: a field of a list's query has one value."],
    // The entity that has most of the columns is meant.
    [
      RoostsQuery,
      'RoostsQuery.eggs is no column of Roost, so the list cannot be filtered by it. Declare it with @Filter(false) if the handler reads it.',
    ],
    // The entity of another module.
    [
      SeedsQuery,
      'SeedsQuery.seeds is no column of Nest, so the list cannot be filtered by it. Declare it with @Filter(false) if the handler reads it.',
    ],
  ])('are refused at the start if they have more: %o', (query, message) => {
    expect(() => check(NestsController, PageQuery, query)).toThrow(new Error(message));
  });

  it('may have anything in a module without entities, which reads its lists from elsewhere', () => {
    expect(() => check(WeatherController, FeatheredQuery, SortedQuery, SeedsQuery)).not.toThrow();
  });

  it('are not all queries', () => {
    expect(() => check(NestsController, SearchQuery, String, Object, undefined)).not.toThrow();
  });
});
