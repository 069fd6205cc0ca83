import { Controller, Get, Module, Query } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ListOptions,
  MayBeAbsent,
  Paged,
  PageQuery,
  type Paging,
  SharedPages,
} from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const taken = new Set<string>();

class WordQuery extends PageQuery {
  @MayBeAbsent()
  @ValidateBy({
    name: 'isFree',
    validator: {
      validate: (word: string) => !taken.has(word),
      defaultMessage: () => '$property is taken',
    },
  })
  word?: string;
}

const WORD_LIST = { notFilters: ['word'] } satisfies ListOptions<WordQuery>;
const nothing = () => Promise.resolve({ items: [] });

@Controller('words')
class WordsController {
  @Get('shared')
  shared(@Query() query: WordQuery, @SharedPages() page: Paging) {
    return page(query, nothing, Object, WORD_LIST);
  }

  @Get('also-shared')
  alsoShared(@Query() query: WordQuery, @SharedPages() page: Paging) {
    return page(query, nothing, Object, WORD_LIST);
  }

  @Get('own')
  own(@Query() query: WordQuery, @Paged() page: Paging) {
    return page(query, nothing, Object, WORD_LIST);
  }

  @Get('plain')
  plain(@Query() query: WordQuery) {
    return [query.word];
  }
}

@Module({ controllers: [WordsController] })
class WordsModule {}

let service: Service;
beforeAll(async () => void (service = await startService(sqlite, { samples: [WordsModule] })));
afterAll(() => service.stop());

it('a query that is cached for the shared pages of one route is still checked on all other routes', async () => {
  const headers = { Authorization: `Bearer ${service.secret}` };
  const statusOf = async (route: string) => {
    const address = `http://127.0.0.1:${service.port}/v1/words/${route}?word=stay`;
    return (await fetch(address, { headers })).status;
  };
  expect(await statusOf('shared')).toBe(200);
  taken.add('stay');
  expect(await statusOf('shared')).toBe(200);
  for (const route of ['also-shared', 'own', 'plain'])
    expect([route, await statusOf(route)]).toEqual([route, 400]);
});
