import { Controller, Get, Module } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { AppModule, MODULES } from '../../../src/app.module.js';
import { VERSIONING } from '../../../src/configure-app.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { Public } from '../../../src/platform/http/index.js';
import { presentText, writtenDocuments } from '../../../tools/openapi/written-documents.js';
import { asidesOf } from '../../../tools/site/operation.js';
import { resolvedDocument } from '../../support/http/resolved-document.js';

interface Described {
  readonly paths: Readonly<Record<string, { get: Operation }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string }[];
}

async function documentsOf(modules: typeof MODULES, present = presentText) {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, MODULES);
  const imports = [AppModule.with(settings, { modules })];
  const assembled = await Test.createTestingModule({ imports }).compile();
  const app = assembled.createNestApplication({ logger: false });
  app.enableVersioning(VERSIONING);
  return writtenDocuments(app, MODULES, present);
}

describe('each file that is generated from the source', async () => {
  // Each file is read once, because contract tests may write SQL into canvases meanwhile.
  const read = new Map<string, string>();
  const present = (file: string) => read.get(file) ?? read.set(file, presentText(file)).get(file)!;
  const documents = await documentsOf(MODULES, present);
  const texts = [...documents].map(([file, text]) => [file, text, present(file)] as const);

  it.each(texts)('%s is what "npm run document" writes', (file, text, present) => {
    expect(text, `Bring ${file} up to date: npm run document`).toBe(present);
  });
});

@Controller('tills')
class TillsController {
  @Get()
  @ApiOperation({ operationId: 'countTills' })
  count() {}

  @Get('open')
  @Public()
  @ApiOperation({ operationId: 'countOpenTills' })
  countOpen() {}
}

@Module({ controllers: [TillsController] })
class TillsModule {}

describe('the guide for clients', () => {
  it('names the operations that no restricted key may call, and the operations that need no key', async () => {
    const guide = (await documentsOf([...MODULES, TillsModule])).get('docs/api.md');
    expect(guide).toContain('\n| `countTills` | none, so only a key without restriction may call it |\n');
    expect(guide).toContain('\n| `countOpenTills` | none, and no key |\n');
  });

  it.each([
    ['docs/api.md', 'listPets'],
    ['docs/modules/store.md', 'listOrders'],
  ])('%s has each query parameter of %s in its table', async (file, operation) => {
    const page = (await documentsOf(MODULES)).get(file)!;
    const [, table] = page.split(new RegExp(`<!-- /?parameters of ${operation}\\b.*-->`));
    const named = [...table!.matchAll(/^\| `(\w+)` \| \S.* \|$/gm)].map(([, name]) => name);
    const { paths } = resolvedDocument(JSON.parse(presentText('docs/openapi.json')) as Described);
    const { parameters } = Object.values(paths)
      .map(({ get }) => get)
      .find(({ operationId }) => operationId === operation)!;
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(named).toEqual(names);
    expect(names.length).toBeGreaterThan(3);
  });

  it.each<[object, string]>([
    [{ 'x-scope': 'tills:read' }, 'A restricted key needs the scope `tills:read`.'],
    [{}, 'A restricted key cannot call it.'],
    [{ security: [] }, ''],
    [{ security: [], 'x-since': '2.1.0' }, 'Available since version 2.1.0.'],
  ])('says in the reference of an operation which key it needs: %j', (operation, text) => {
    expect(asidesOf(operation as Parameters<typeof asidesOf>[0])).toBe(text);
  });
});
