import { Body, Controller, Module, Post, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsDate,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Min,
  ValidateNested,
} from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../tools/openapi/openapi-document.js';
import { sqlite } from '../../support/engines.js';
import { HivesModule } from '../../support/modules/hives-module.js';
import { FIELDS, RulesModule } from '../../support/modules/rules-module.js';
import { type Service, startService } from '../../support/service.js';

type Shapes = Record<string, { readonly properties: Record<string, object>; readonly required: string[] }>;

/** A module with a route that takes a body of this class. */
function moduleWith(body: Class): Class {
  class Controlled {
    add() {}
  }
  const { prototype } = Controlled;
  Reflect.defineMetadata('design:paramtypes', [body], prototype, 'add');
  Post()(prototype, 'add', Object.getOwnPropertyDescriptor(prototype, 'add')!);
  Body()(prototype, 'add', 0);
  Controller('some')(Controlled);
  class Some {}
  Module({ controllers: [Controlled] })(Some);
  return Some;
}

class Size {
  @Min(1)
  width!: number;

  @IsOptional()
  @IsInt()
  height?: number;
}

/** `@ApiProperty` describes each field differently from its rules and its class. */
class NotedBody {
  @IsInt()
  @Min(1)
  @ApiProperty({ type: 'string', format: 'byte', description: 'Bytes.', example: 'AA==' })
  text!: number;

  @IsString()
  @ApiProperty({ required: false, minLength: 3 })
  absent!: string;

  @IsOptional()
  @IsString()
  @ApiProperty({ required: true, nullable: false })
  present?: string;

  @IsIn(['a', 'b'])
  @ApiProperty({ enum: ['a', 'c'] })
  word!: string;

  @IsDate()
  @Type(() => Date)
  @ApiProperty({ format: 'date' })
  day!: Date;

  @IsISO8601()
  @ApiProperty({ format: 'date' })
  on!: string;

  @Matches(/^a/)
  @ApiProperty({ pattern: '^b' })
  pattern!: string;

  @ValidateNested()
  @ApiProperty({ type: () => Size })
  size!: object;

  @IsInt()
  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }] })
  either!: number;

  @IsInt()
  initial = 5;

  @ArrayMaxSize(2)
  @ValidateNested()
  @Type(() => Size)
  sizes!: Size[];
}

describe('the OpenAPI document describes the rules of a field', () => {
  let service: Service;
  let schemas: Shapes;
  let old: Shapes;
  beforeAll(async () => {
    service = await startService(sqlite, { modules: [RulesModule, HivesModule, moduleWith(NotedBody)] });
    schemas = openApiDocument(service.app).components!.schemas as Shapes;
    old = openApiDocument(service.app, '3.0.3').components!.schemas as Shapes;
  });
  afterAll(() => service.stop());

  it.each(Object.entries(FIELDS))('%s', (field, [, schema, example]) => {
    expect(schemas['RulesBody']!.properties[field]).toEqual(schema);
    expect(schemas['NotedRulesBody']!.properties[field]).toEqual({ ...schema, example });
  });

  it('in both versions of OpenAPI', async () => {
    for (const version of ['3.1.0', '3.0.3'] as const) {
      const { errors } = await new Validator().validate({ ...openApiDocument(service.app, version) });
      expect(errors).toBeUndefined();
    }
    expect(old['RulesBody']!.properties).toMatchObject({
      inOrNull: { type: 'number', nullable: true, enum: [1, 2, null] },
      levelOrNull: { type: 'number', nullable: true, enum: [1, 2, null] },
      inMixed: { enum: [1, 'a'] },
      negativeInt: { type: 'integer', maximum: 0, exclusiveMaximum: true },
    });
    expect(old['RulesBody']!.properties['inMixed']).not.toHaveProperty('type');
  });

  it('as subtypes, as a map, and by the name that a client sends', () => {
    const path = (name: string) => `#/components/schemas/${name}`;
    const { properties, required } = schemas['HiveBody']!;
    expect(properties).toMatchObject({
      bees: {
        type: 'array',
        items: {
          oneOf: [{ $ref: path('Queen') }, { $ref: path('Worker') }],
          discriminator: {
            propertyName: 'kind',
            mapping: { queen: path('Queen'), worker: path('Worker') },
          },
        },
      },
      favourite: {
        anyOf: [
          {
            oneOf: [{ $ref: path('Queen') }, { $ref: path('Worker') }],
            discriminator: { propertyName: 'kind' },
          },
          { type: 'null' },
        ],
      },
      neighbours: { type: ['object', 'null'], additionalProperties: { $ref: path('Place') } },
      made_of: { type: 'number', enum: [1, 2] },
    });
    expect(Object.keys(properties)).not.toContain('wood');
    expect(required).toContain('made_of');
    expect(schemas['Queen']).toMatchObject({
      properties: { kind: { type: 'string', enum: ['queen'] }, eggs: { type: 'integer' } },
      required: expect.arrayContaining(['kind', 'name', 'eggs']) as unknown,
    });
  });

  it('unless @ApiProperty describes the field', () => {
    const { properties, required } = schemas['NotedBody']!;
    expect(properties).toEqual({
      text: { type: 'string', format: 'byte', description: 'Bytes.', example: 'AA==' },
      absent: { type: 'string', minLength: 3 },
      present: { type: 'string' },
      word: { type: 'string', enum: ['a', 'c'] },
      day: { type: 'string', format: 'date' },
      on: { type: 'string', format: 'date' },
      pattern: { type: 'string', pattern: '^b' },
      size: { $ref: '#/components/schemas/Size' },
      either: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      initial: { type: 'integer' },
      sizes: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Size' } },
    });
    expect(required).toEqual(['text', 'present', 'word', 'day', 'on', 'pattern', 'size', 'either', 'sizes']);
    expect(schemas['Size']!.properties).toEqual({
      width: { type: 'number', minimum: 1 },
      height: { type: ['integer', 'null'] },
    });
  });
});

describe('a field that cannot be described stops the document with an error that names the remedy', () => {
  const fields: [PropertyDecorator[], unknown, RegExp][] = [
    [[IsOptional()], Object, /^SomeBody\.field cannot be described, because .*: write @ApiProperty\(/],
    [
      [ValidateNested()],
      Size,
      /^SomeBody\.field cannot be described, because @ValidateNested\(\) without @Type/,
    ],
    [[ApiProperty()], undefined, /^\[SomeBody\] A circular dependency .*"field"/],
  ];
  it.each(fields)('%#', async (rules, type, message) => {
    class SomeBody {}
    const { prototype } = SomeBody;
    if (type) Reflect.defineMetadata('design:type', type, prototype, 'field');
    for (const rule of rules) rule(prototype, 'field');
    const service = await startService(sqlite, { modules: [moduleWith(SomeBody)], hasBuiltDocument: true });
    expect(() => openApiDocument(service.app)).toThrow(message);
    await service.stop();
  });
});
