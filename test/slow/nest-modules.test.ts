import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes/local-program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { Program } from '../support/program.js';

/** A module in one file, as in Nest's documentation. */
const moduleOf = (name: string, plural: string) => `
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';

export class Create${name}Dto {
  @IsString()
  name!: string;

  @IsInt()
  age!: number;
}

@Controller('${plural}')
export class ${name}Controller {
  private readonly all: Create${name}Dto[] = [];

  @Post()
  create(@Body() one: Create${name}Dto) {
    this.all.push(one);
    return one;
  }

  @Get()
  findAll() {
    return this.all;
  }
}

@Module({ controllers: [${name}Controller] })
export class ${name}Module {}
`;

const CATS = 'src/cats/cats.module.ts';
/** The response shows which build runs. */
const CHANGED = 'src/platform/ops/health/health.controller.ts';
const FILES: Readonly<Record<string, string>> = {
  [CATS]: moduleOf('Cat', 'cats'),
  'src/dogs.module.ts': moduleOf('Dog', 'dogs'),
  'src/shared/upper.ts': 'export const upper = (text: string): string => text.toUpperCase();\n',
};

// Each compiles the whole service, which takes a minute on a busy machine.
describe('modules in one file, without an index.ts,', { timeout: 600_000 }, () => {
  let copy: TreeCopy;
  beforeAll(async () => {
    copy = await TreeCopy.make((path) => {
      for (const [file, text] of Object.entries(FILES)) {
        mkdirSync(dirname(path(file)), { recursive: true });
        writeFileSync(path(file), text);
      }
      const app = path('src/app.module.ts');
      const added = readFileSync(app, 'utf8')
        .replace('  StoreModule,\n', '$&  CatModule,\n  DogModule,\n')
        .replace(
          'import { StoreModule',
          "import { CatModule } from './cats/cats.module.js';\nimport { DogModule } from './dogs.module.js';\n$&",
        );
      writeFileSync(app, added);
    });
  });
  afterAll(() => copy.remove());
  const textOf = (file: string) => readFileSync(copy.path(file), 'utf8');

  it('are in the OpenAPI document, and have a canvas', async () => {
    const { code, output } = await copy.run('npm', ['run', '-s', 'document']);
    expect(code, output).toBe(0);
    const { paths } = JSON.parse(textOf('docs/openapi.json')) as { paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/cats', '/dogs']));
    expect(textOf('docs/canvas/cats.md')).toContain('`POST /cats`');
    expect(textOf('docs/canvas/dogs.md')).toContain('`GET /dogs`');
    expect(copy.changes('docs/canvas').toSorted()).toEqual([
      '? docs/canvas/cats.md',
      '? docs/canvas/dogs.md',
    ]);
  });

  it('are served by npm run dev, and again after each change, with the same key, data and pages', async () => {
    const { PATH = '' } = process.env;
    const origin = `http://127.0.0.1:${await freePort()}`;
    const environment = { PATH, HOME: copy.temporary, PORT: new URL(origin).port };
    const program = Program.run('npm', ['run', 'dev'], environment, copy.path('.'));
    onTestFinished(() => void program.stop('SIGKILL'));
    const [, key] = await program.printed(/API key +(psk_test_\w+)/);
    const send = async (path: string, body?: string) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Connection: 'close',
      };
      const answer = await fetch(
        origin + path,
        body === undefined ? { headers } : { method: 'POST', headers, body },
      );
      return { status: answer.status, text: await answer.text() };
    };
    expect((await send('/v1/cats', '{"name":"Tom","age":3}')).status).toBe(201);
    expect((await send('/v1/pets', '{"name":"Rex","categoryId":7}')).status).toBe(201);

    writeFileSync(copy.path(CHANGED), textOf(CHANGED).replace("status: 'alive'", "status: 'alive again'"));
    await eventually(async () => (await send('/livez')).text === '{"status":"alive again"}');
    await eventually(async () => (await send('/readyz')).status === 200);
    const pets = await send('/v1/pets');
    expect([pets.status, JSON.parse(pets.text)]).toMatchObject([200, [{ name: 'Rex' }]]);
    expect((await send('/docs/')).status).toBe(200);

    // A signal to the started process ends it with all its children.
    expect((await program.stop('SIGTERM')).output).toContain('Stopping after SIGTERM');
    await expect(send('/livez')).rejects.toThrow('fetch failed');
  });

  it('are not served without the built pages, and the error names the command that builds them', async () => {
    rmSync(copy.path('dist/openapi.json'));
    const { code, output } = await copy.run('node', ['dist/main.js']);
    expect(code).toBe(1);
    expect(output).toMatch(/^There is no dist\/openapi\.json\. "npm run build" puts it there\.$/m);
    expect(output).not.toContain('    at ');
  });

  it('are named, in one line, if one of their fields cannot be described', async () => {
    const unknown = FILES[CATS]!.replaceAll('IsString', 'Allow').replace('name!: string', 'name!: unknown');
    writeFileSync(copy.path(CATS), unknown);
    const { code, output } = await copy.run('npm', ['run', '-s', 'document']);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Nothing was written: CreateCatDto\.name cannot be described, .*write @ApiProperty.*\n$/,
    );
  });

  it('stop a run that needs the build if they do not compile, and the error of the compiler is printed', async () => {
    appendFileSync(copy.path('src/store/domain/order.ts'), "export const total: number = 'much';\n");
    const { code, output } = await copy.run('npx', ['vitest', 'run', 'test/e2e/process/crash']);
    expect(code).toBe(1);
    expect(output).toMatch(/src\/store\/domain\/order\.ts.*error.*TS2322/);
    expect(output).not.toContain('No test files found');
  });
});
