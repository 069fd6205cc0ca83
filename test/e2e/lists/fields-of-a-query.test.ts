import { Controller, Get, Module, Query, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsString } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../src/kernel/page.js';
import { Filter } from '../../../src/platform/http/lists/listing.js';
import { PageQuery } from '../../../src/platform/http/lists/page.query.js';
import { Paged, type Paging } from '../../../src/platform/http/lists/pager.js';
import { BooleanField, IntegerField } from '../../../src/platform/http/validation/dto.decorators.js';
import { sqlite } from '../../support/engines.js';
import { startService } from '../../support/service.js';

@Entity()
class Nest {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  eggs!: number;
}

class NestsQuery extends PageQuery {
  @IntegerField({ min: 0, max: 240, description: 'How many eggs.', example: 3, optional: true })
  eggs?: number;

  /** Required, unlike a filter. */
  @Filter(false)
  @IsString()
  day!: string;

  @Filter(false)
  @BooleanField({ description: 'Whether they are there.', example: true, optional: true })
  withBirds?: boolean;
}

/** A module with a list of nests by this query, which answers with what it was asked for. */
function moduleWith(query: Type<PageQuery>): Type {
  class NestsController {
    list(asked: NestsQuery, page: Paging) {
      const read = async ({ filter }: Selection<object>) => ({
        items: [{ ...filter, day: asked.day, birds: asked.withBirds }],
        next: { id: 7n },
      });
      return page(asked, read, (item) => item);
    }
  }
  const methods = NestsController.prototype;
  Reflect.defineMetadata('design:paramtypes', [query, Object], methods, 'list');
  Query()(methods, 'list', 0);
  Paged()(methods, 'list', 1);
  Get()(methods, 'list', Object.getOwnPropertyDescriptor(methods, 'list')!);
  Controller('nests')(NestsController);
  @Module({ imports: [TypeOrmModule.forFeature([Nest])], controllers: [NestsController] })
  class NestsModule {}
  return NestsModule;
}

describe('a field of the query of a list', () => {
  it('is handed to the handler if it is declared, and is part of every link', async () => {
    const { port, secret, stop } = await startService(sqlite, { samples: [moduleWith(NestsQuery)] });
    const ask = async (query: string) => {
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await fetch(`http://127.0.0.1:${port}/v1/nests${query}`, { headers });
      return { json: (await answer.json()) as object, link: answer.headers.get('link') };
    };
    const monday = '?day=monday&eggs=3&withBirds=true';
    const { json, link } = await ask(monday);
    expect(json).toEqual([{ eggs: 3, day: 'monday', birds: true }]);
    const next = /<([^>]+)>; rel="next"/.exec(link!)![1]!;
    expect(new URL(next).searchParams.get('day')).toBe('monday');
    const cursor = new URL(next).searchParams.get('cursor')!;
    expect((await ask(`${monday}&cursor=${cursor}`)).json).toEqual(json);
    expect((await ask(`?day=sunday&cursor=${cursor}`)).json).toMatchObject({ code: 'invalid_cursor' });
    expect((await ask('?withBirds=maybe&eggs=241')).json).toMatchObject({
      details: [
        { field: 'query.eggs', code: 'out_of_range', message: 'must be from 0 to 240' },
        { field: 'query.day', code: 'required' },
        { field: 'query.withBirds', code: 'invalid_type' },
      ],
    });
    await stop();
  });
});
