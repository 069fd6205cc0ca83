import { setImmediate } from 'node:timers/promises';
import { Controller, Get, Module, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { callerId, callerMay } from '../../../src/platform/http/caller.js';
import { PageQuery } from '../../../src/platform/http/lists/page.query.js';
import { Paged, type Paging } from '../../../src/platform/http/lists/pager.js';
import { RequireScope } from '../../../src/platform/http/route.decorators.js';
import { Scopes } from '../../../src/platform/http/scopes.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

class CratesQuery extends PageQuery {}

const one = (item: object) => async () => {
  await setImmediate();
  return { items: [item] };
};

@Controller('crates')
class CratesController {
  /** What is told depends on the caller. */
  @Get()
  @RequireScope('crates:read')
  list(@Query() query: CratesQuery, @Paged() page: Paging, @Req() request: Request) {
    const read = one({ id: 1, owner: 'Ada' });
    return page(query, read, ({ id, ...rest }: { id?: number }) =>
      callerMay(request, 'crates:admin') ? { id, ...rest } : { id },
    );
  }

  /** What is read depends on the caller. */
  @Get('own')
  @RequireScope('crates:read')
  own(@Query() query: CratesQuery, @Paged() page: Paging, @Req() request: Request) {
    return page(query, one({ owner: callerId(request) }), (crate) => crate);
  }
}

@Scopes('crates:admin')
@Module({ controllers: [CratesController] })
class CratesModule {}

describe('a list of a module', () => {
  let service: Service;
  const callers: { secret: string; id: string; isAdmin: boolean }[] = [];
  beforeAll(async () => {
    service = await startService(sqlite, { samples: [CratesModule] });
    for (const isAdmin of [true, false]) {
      const scopes = ['crates:read', ...(isAdmin ? ['crates:admin'] : [])];
      const { key, secret } = await service.app
        .get(ApiKeyService)
        .issue({ name: `admin: ${isAdmin}`, scopes }, 'live', 'test');
      callers.push({ secret, id: String(key.props.id), isAdmin });
    }
  });
  afterAll(() => service.stop());

  const ask = async (path: string, { secret } = callers[0]!) => {
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/crates${path}`, { headers });
    return (await answer.json()) as unknown;
  };
  /** The answers to 100 requests at once, of two callers in turn, that are not those that the caller should have. */
  const wrongOf = async (path: string, right: (caller: (typeof callers)[number]) => object) => {
    const all = Array.from({ length: 100 }, (_, i) => callers[i % 2]!);
    const answers = await Promise.all(all.map(async (caller) => [await ask(path, caller), right(caller)]));
    return answers.filter(([json, wanted]) => JSON.stringify(json) !== JSON.stringify([wanted]));
  };

  it('tells each of 100 callers at once what that caller may know', async () => {
    expect(await wrongOf('', ({ isAdmin }) => ({ id: 1, ...(isAdmin && { owner: 'Ada' }) }))).toEqual([]);
  });

  it('reads for each of 100 callers at once what is theirs', async () => {
    expect(await wrongOf('/own', ({ id }) => ({ owner: id }))).toEqual([]);
  });
});
