import { Controller, Get, Header, Module, ParseIntPipe, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Deprecated,
  type Deprecation,
  IdField,
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

/** Deprecated operations that set their own `Link` headers: to pages of a list, and to help. */
@Controller('bells')
class BellsController {
  @Get()
  @Deprecated(ENDING)
  @Operation({
    name: 'listBells',
    summary: 'Lists three bells.',
    description: 'Loudest first.',
    success: { status: 200, description: 'The bells.', body: BellBody, listName: 'Bells' },
  })
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
  @Operation({
    name: 'getLoudestBell',
    summary: 'Returns the loudest bell.',
    description: 'Of one tower or of all.',
    success: { status: 200, description: 'The bell.', body: BellBody },
  })
  loudest(@Query('tower', new ParseIntPipe({ optional: true })) _tower?: number): BellBody {
    return { id: 3n };
  }

  @Get('smallest')
  @Deprecated(ENDING)
  @Operation({
    name: 'getSmallestBell',
    summary: 'Returns the smallest bell.',
    description: 'It adds a link to those that are there.',
    success: { status: 200, description: 'The bell.', body: BellBody },
  })
  smallest(@Res({ passthrough: true }) response: Response): BellBody {
    response.append('Link', '<https://example.com/bells>; rel="help"');
    return { id: 1n };
  }

  @Get('ring')
  @Deprecated(ENDING)
  @Operation({
    name: 'ringBell',
    summary: 'Rings.',
    description: 'It answers by itself.',
    success: { status: 200, description: 'The bell.', body: BellBody },
  })
  ring(@Res() response: Response): void {
    response.set({ 'Cache-Control': 'no-store', ETag: '"3"', Vary: 'Authorization' }).json({ id: 3 });
  }
}

@Module({ controllers: [BellsController] })
export class BellsModule {}
