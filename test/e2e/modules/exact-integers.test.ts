import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import { Allow, IsArray, IsDate, IsIn, IsInt, IsNumber, IsObject, IsOptional, Max } from 'class-validator';
import { ValidateIf, ValidateNested } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Int64Field, IntegerField, ReadOnly, TextField } from '../../../src/platform/http/index.js';
import { exactOf } from '../../../src/platform/json/index.js';
import { sqlite } from '../../support/engines.js';
import { IsInt64 } from '../../support/rooms/http.js';
import { type Service, startService } from '../../support/service.js';

const SERIAL = { description: 'A serial number.', example: 7 };
const OPTIONAL = { ...SERIAL, optional: true };

class Chip {
  @Int64Field(SERIAL)
  serial!: bigint;
}

abstract class Part {
  @IsIn(['wheel', 'screw'])
  kind!: string;
}
class Wheel extends Part {
  @Int64Field(SERIAL)
  serial!: bigint;
}
class Screw extends Part {
  @IsInt()
  width!: number;
}
const KINDS = {
  property: 'kind',
  subTypes: [
    { name: 'wheel', value: Wheel },
    { name: 'screw', value: Screw },
  ],
};

class RobotBody {
  @Int64Field(OPTIONAL)
  serial?: bigint;

  @Int64Field(OPTIONAL)
  twin?: bigint;

  @Expose({ name: 'made_by' })
  @Int64Field(OPTIONAL)
  maker?: bigint;

  @Expose({ name: 'sold_by' })
  @Int64Field(OPTIONAL)
  seller?: bigint;

  @IsOptional()
  @IsArray()
  @IsInt64({ each: true })
  serials?: bigint[];

  @Expose({ name: 'all_makers' })
  @IsOptional()
  @IsArray()
  @IsInt64({ each: true, max: 2n ** 62n })
  makers?: bigint[];

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => Chip)
  chip?: Chip;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Chip)
  chips?: Chip[];

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Chip)
  named?: Map<string, Chip>;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Part, { discriminator: KINDS, keepDiscriminatorProperty: true })
  parts?: (Wheel | Screw)[];

  @IsOptional()
  @IsDate()
  @Type(() => Date)
  since?: Date;

  @IsOptional()
  @IsNumber()
  @Type(() => Number)
  weight?: number;

  @IsOptional()
  @IsInt()
  @Max(99)
  rows?: number;

  @IntegerField({ ...OPTIONAL, min: 1, max: 9 })
  wheels?: number;

  @TextField({ description: 'A name.', example: 'Robby', optional: true, maxLength: 20 })
  name?: string;

  @ReadOnly()
  id?: never;

  @IsOptional()
  @IsObject()
  facts?: Record<string, unknown>;

  /** A rule that does not apply must not let a rounded number through. */
  @ValidateIf(() => false)
  @IsInt64()
  unchecked?: bigint;

  @IsOptional()
  @Transform(({ value }: { value: number }) => BigInt(value))
  @Allow()
  rounded?: bigint;

  @IsOptional()
  @Transform(
    ({ value, key, obj }: { value: unknown; key: string; obj: unknown }) => exactOf(obj, key) ?? value,
  )
  @Allow()
  own?: bigint;
}

const schema = (validate: (value: { id?: unknown }) => object) => ({
  '~standard': { version: 1 as const, vendor: 'robots', validate: validate as never },
});
const WANTS_BIGINT = schema((value) =>
  typeof value.id === 'bigint' ? { value } : { issues: [{ message: 'Expected bigint', path: ['id'] }] },
);
const TAKES_ALL = schema((value) => ({ value }));
const READS_EXACTLY = schema((value) => ({ value: { id: exactOf(value, 'id') ?? value.id } }));

@Controller('robots')
class RobotsController {
  @Post()
  @HttpCode(200)
  add(@Body() robot: RobotBody) {
    return { ...robot, named: robot.named && Object.fromEntries(robot.named) };
  }

  @Post('free')
  free(@Body() body: object) {
    return body;
  }

  @Post('part')
  part(@Body('chip') chip: Chip) {
    return chip;
  }

  @Post('serial')
  serial(@Body('serial') serial: number) {
    return { serial };
  }

  @Post('wants-bigint')
  wantsBigint(@Body({ schema: WANTS_BIGINT }) body: object) {
    return body;
  }

  @Post('takes-all')
  takesAll(@Body({ schema: TAKES_ALL }) body: object) {
    return body;
  }

  @Post('reads-exactly')
  readsExactly(@Body({ schema: READS_EXACTLY }) body: object) {
    return body;
  }
}

const MAX = '9223372036854775807';
/** It rounds to the same number as MAX. */
const NEAR = '9223372036854775806';
const RANGE = 'out_of_range: must be from -9007199254740991 to 9007199254740991';
const INT64 = 'out_of_range: must be from -9223372036854775808 to 9223372036854775807';

describe('an integer of a body that a number does not hold', () => {
  let service: Service;
  beforeAll(async () => {
    const robots = { module: class Robots {}, controllers: [RobotsController] };
    service = await startService(sqlite, { samples: [robots] });
  });
  afterAll(() => service.stop());

  const post = async (path: string, body: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/robots${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.secret}`, 'Content-Type': 'application/json' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const problemsOf = ({ status, text }: { status: number; text: string }) => {
    const { details = [] } = JSON.parse(text) as { details?: Record<string, string>[] };
    return [status, ...details.map(({ field, code, message }) => `${field} ${code}: ${message}`)];
  };

  it.each<[string, string]>([
    ['a field', `{"serial":${MAX}}`],
    ['two fields', `{"serial":${MAX},"twin":${NEAR}}`],
    ['a list', `{"serials":[${NEAR},1,-9223372036854775808,${MAX}]}`],
    ['a nested object', `{"chip":{"serial":${MAX}}}`],
    ['nested objects in a list', `{"chips":[{"serial":1},{"serial":${MAX}},{"serial":${NEAR}}]}`],
    ['a map', `{"named":{"left":{"serial":${MAX}}}}`],
    [
      'an object whose class another property decides',
      `{"parts":[{"kind":"screw","width":1},{"kind":"wheel","serial":${MAX}}]}`,
    ],
    ['a field with a transform that reads the exact value', `{"own":${MAX}}`],
    ['a field that is not checked', `{"unchecked":${MAX}}`],
  ])('is exact in %s', async (_, body) => {
    expect(await post('', body)).toEqual({ status: 200, text: body });
  });

  it.each<[string, string]>([
    [`{"made_by":${MAX}}`, `{"maker":${MAX}}`],
    [`{"sold_by":${NEAR},"made_by":${MAX}}`, `{"seller":${NEAR},"maker":${MAX}}`],
    [`{"maker":${MAX}}`, `{"maker":${MAX}}`],
    ['{"all_makers":[4611686018427387903,1]}', '{"makers":[4611686018427387903,1]}'],
  ])('is exact in a field with another name in JSON: %s', async (body, made) => {
    expect(await post('', body)).toEqual({ status: 200, text: made });
  });

  it.each<[string, ...problems: string[]]>([
    [`{"serial":9223372036854775808}`, `/serial ${INT64}`],
    [`{"serials":[1,9223372036854775808]}`, `/serials ${INT64.replace('must', 'each value must')}`],
    [
      `{"all_makers":[${MAX}]}`,
      '/makers out_of_range: each value must be from -9223372036854775808 to 4611686018427387904',
    ],
    [`{"wheels":${MAX}}`, '/wheels out_of_range: must be from 1 to 9'],
    [`{"rows":${MAX}}`, `/rows ${RANGE}`],
    [`{"since":${MAX}}`, '/since invalid_type: must be a Date instance'],
    ['{"since":9007199254740993}', '/since invalid_type: must be a Date instance'],
    [`{"weight":${MAX}}`, `/weight ${RANGE}`],
    [`{"name":${MAX}}`, '/name invalid_type: must be a string'],
    [`{"id":${MAX}}`, '/id read_only_field: is assigned by the service; leave it out'],
    [`{"seriall":${MAX}}`, '/seriall unknown_field: is not known; did you mean serial'],
    [
      `{"chip":{"serial":1,"seral":[${MAX}]}}`,
      '/chip/seral unknown_field: is not known; did you mean serial',
    ],
    [`{"chip":[${MAX}]}`, '/chip invalid_type: must be an object'],
    [`{"parts":[{"kind":"screw","width":${MAX}}]}`, `/parts/0/width ${RANGE}`],
    [`{"rounded":9007199254740993}`, `/rounded ${RANGE}`],
    [`{"facts":{"a":[1,{"b/c":${MAX}}],"d":${NEAR}}}`, `/facts/a/1/b~1c ${RANGE}`, `/facts/d ${RANGE}`],
    [
      `{"serial":${MAX},"facts":{"a":${MAX}},"rows":${MAX},"name":7,"seriall":${MAX},"twin":"x"}`,
      `/facts/a ${RANGE}`,
      `/rows ${RANGE}`,
      '/seriall unknown_field: is not known; did you mean serial',
      '/twin invalid_type: must be an integer',
      '/name invalid_type: must be a string',
    ],
  ])(
    'is rejected, with one problem in its place, in a field that cannot have it: %s',
    async (body, ...all) => {
      expect(problemsOf(await post('', body))).toEqual([400, ...all]);
    },
  );

  it.each(['[1,9007199254740993]', '{"a":[1,9007199254740993]}'])(
    'is rejected in a body without a class: %s',
    async (body) => {
      const [status, problem] = problemsOf(await post('/free', body));
      expect([status, problem]).toEqual([400, expect.stringMatching(new RegExp(`/1 ${RANGE}$`))]);
    },
  );

  it('is exact, or rejected, in a part of a body', async () => {
    expect((await post('/part', `{"chip":{"serial":${MAX}}}`)).text).toBe(`{"serial":${MAX}}`);
    expect(problemsOf(await post('/part', `{"chip":{"serial":1,"x":${MAX}}}`))).toEqual([
      400,
      '/chip/x unknown_field: is not known; known are serial',
    ]);
    expect((await post('/serial', '{"serial":9007199254740991}')).text).toBe('{"serial":9007199254740991}');
    expect(problemsOf(await post('/serial', '{"serial":9007199254740993}'))).toEqual([
      400,
      `/serial ${RANGE}`,
    ]);
  });

  it('is a number for a Standard Schema, whose result must have the exact value', async () => {
    const body = `{"id":${MAX}}`;
    expect(problemsOf(await post('/wants-bigint', body))).toEqual([
      400,
      '/id invalid_value: Expected bigint',
    ]);
    expect(problemsOf(await post('/takes-all', body))).toEqual([400, `/id ${RANGE}`]);
    expect((await post('/takes-all', '{"id":7}')).text).toBe('{"id":7}');
    expect(await post('/reads-exactly', body)).toEqual({ status: 201, text: body });
  });
});
