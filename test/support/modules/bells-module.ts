import { Controller, Get, Header, Module, ParseIntPipe, Query } from '@nestjs/common';
import {
  Deprecated,
  type Deprecation,
  IdField,
  ListOperation,
  Operation,
  Paged,
  PageQuery,
  type Paging,
} from '../../../src/platform/http/index.js';

class BellBody {
  @IdField({ description: 'Identifier of the bell.', example: 1 })
  id!: bigint;
}

class ListBellsQuery extends PageQuery {}

const ENDING: Deprecation = {
  since: '2026-11-20',
  sunset: '2031-01-01',
  successor: () => ({ path: '/pets', parameters: { status: 'sold' } }),
};

const bell = (name: string) =>
  Operation({
    name,
    summary: 'Returns a bell.',
    description: 'One of three.',
    success: { status: 200, description: 'The bell.', body: BellBody },
  });

/** Deprecated operations that set their own `Link` headers: to pages of a list, and to help. */
@Controller('bells')
class BellsController {
  @Get()
  @Deprecated(ENDING)
  @ListOperation('bells', { name: 'listBells', body: BellBody, listName: 'Bells' })
  list(@Query() query: ListBellsQuery, @Paged() page: Paging) {
    const read = async ({ after, limit }: { after?: { id: bigint } | undefined; limit: number }) => {
      const left = [3n, 2n, 1n].filter((id) => !after || id < after.id).map((id) => ({ id }));
      const items = left.slice(0, limit);
      return { items, ...(left.length > limit && { next: items.at(-1)! }) };
    };
    return page(query, read, (bell) => bell);
  }

  @Get('loudest')
  @Deprecated(ENDING)
  @Header('Link', '<https://example.com/bells>; rel="help"')
  @bell('getLoudestBell')
  loudest(@Query('tower', new ParseIntPipe({ optional: true })) _tower?: number): BellBody {
    return { id: 3n };
  }
}

@Module({ controllers: [BellsController] })
export class BellsModule {}
