import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/processes/local-program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { Program } from '../support/program.js';

/** A module in one file, as in Nest's documentation. */
const moduleOf = (name: string, plural: string) => `
import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';

export class Create${name}Dto {
  @IsString()
  name!: string;

  @IsInt()
  age!: number;
}

@Injectable()
export class ${name}Service {
  private readonly all: Create${name}Dto[] = [];

  create(one: Create${name}Dto) {
    this.all.push(one);
    return one;
  }

  findAll() {
    return this.all;
  }
}

@Controller('${plural}')
export class ${name}Controller {
  constructor(private readonly service: ${name}Service) {}

  @Post()
  create(@Body() one: Create${name}Dto) {
    return this.service.create(one);
  }

  @Get()
  findAll() {
    return this.service.findAll();
  }
}

@Module({ controllers: [${name}Controller], providers: [${name}Service] })
export class ${name}Module {}
`;

const CATS = 'src/cats/cats.module.ts';
const FILES: Readonly<Record<string, string>> = {
  [CATS]: moduleOf('Cat', 'cats'),
  'src/dogs.module.ts': moduleOf('Dog', 'dogs'),
  'src/shared/upper.ts': 'export const upper = (text: string): string => text.toUpperCase();\n',
};

// Each compiles the whole service, which takes a minute on a busy machine.
describe('modules in one file, without a door', { timeout: 600_000 }, () => {
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

  it('are in the document, and have a canvas', async () => {
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

  it('serve', async () => {
    const { PATH = '' } = process.env;
    const port = String(await freePort());
    const environment = { PATH, HOME: copy.temporary, PORT: port };
    const program = Program.run('npm', ['start'], environment, copy.path('.'));
    const [, key] = await program.printed(/API key +(psk_test_\w+)/);
    const added = await fetch(`http://127.0.0.1:${port}/v1/cats`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"name":"Tom","age":3}',
    });
    await program.stop('SIGTERM');
    expect(added.status).toBe(201);
  });

  it('are named, in one line, if a field cannot be described', async () => {
    const unknown = FILES[CATS]!.replaceAll('IsString', 'Allow').replace('name!: string', 'name!: unknown');
    writeFileSync(copy.path(CATS), unknown);
    const { code, output } = await copy.run('npm', ['run', '-s', 'document']);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Nothing was written: CreateCatDto\.name cannot be described, .*write @ApiProperty.*\n$/,
    );
  });
});
