import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../../src/platform/http/routes.js';
import {
  IsInstant,
  IsInt64,
  PureRules,
  ReadOnly,
} from '../../../../../src/platform/http/validation/dto.decorators.js';
import {
  checkDtos,
  dtosOf,
  fieldsWithRules,
  shapeOf,
} from '../../../../../src/platform/http/validation/dto-shape.js';
import { validateBodySync } from '../../../../../src/platform/http/validation/validate-dto.js';

class Beds {}

/** `Beds.plant`, which takes parameters of these kinds and types. */
const plant = (...parameters: [RouteParamtypes, unknown][]): Route =>
  ({
    controller: Beds,
    property: 'plant',
    parameters: parameters.map(([kind, declaredType]) => ({ kind, declaredType })),
  }) as unknown as Route;

class Bare {
  name!: string;
}
class Size {
  @IsInt()
  width!: number;
}

const REMEDY =
  " has no validation rules. Give its fields class-validator's decorators; " +
  'beside @ValidateNested() say with @Type(() => Item) of class-transformer what is in it.';
const refusal = (what: string) => new Error(`${what}${REMEDY}`);

describe('the classes that a handler takes', () => {
  it('are those of its body, its query and its path', () => {
    const { BODY, QUERY, PARAM, HEADERS } = RouteParamtypes;
    const handler = plant([BODY, Size], [QUERY, Bare], [PARAM, Size], [HEADERS, Bare], [QUERY, String]);
    expect(dtosOf(handler)).toEqual([
      { kind: BODY, dto: Size },
      { kind: QUERY, dto: Bare },
      { kind: PARAM, dto: Size },
    ]);
  });

  it('are none where TypeScript wrote no type down', () => {
    expect(dtosOf(plant([RouteParamtypes.BODY, undefined]))).toEqual([]);
  });

  it('are refused at the start, with the name of the handler, if they have no rules', () => {
    expect(() => checkDtos([plant([RouteParamtypes.BODY, Bare])])).toThrow(
      refusal('Bare, which Beds.plant takes,'),
    );
  });

  it('are fine with rules', () => checkDtos([plant([RouteParamtypes.BODY, Size])]));
});

describe('a class is refused', () => {
  it('if the document has a field that no rule does', () => {
    class Plant extends Size {
      @ApiProperty({ required: false })
      breed?: string;
    }
    expect(() => shapeOf(Plant)).toThrow(refusal('Plant.breed'));
  });

  it('as a whole if that is its only field', () => {
    class Plant {
      @ApiProperty()
      breed!: string;
    }
    expect(() => shapeOf(Plant)).toThrow(refusal('Plant'));
  });

  it('if a field has a default but no rule', () => {
    class Plant extends Size {
      rows = 3;
    }
    expect(() => shapeOf(Plant)).toThrow(refusal('Plant.rows'));
  });

  it('if nobody knows what is in a list', () => {
    class Garden {
      @ValidateNested({ each: true })
      beds!: Size[];
    }
    expect(() => shapeOf(Garden)).toThrow(refusal('Garden.beds'));
  });

  it('if a class in it has no rules', () => {
    class Garden {
      @ValidateNested()
      shed!: Bare;
    }
    expect(() => shapeOf(Garden)).toThrow(refusal('Bare, which is in Garden.shed,'));
  });
});

describe('no rule is needed', () => {
  it('for a file, which is no JSON', () => {
    class Upload extends Size {
      @ApiProperty({ type: 'string', format: 'binary' })
      photo!: unknown;
    }
    expect(shapeOf(Upload).known).toEqual(['width']);
  });

  it('for a field that only the code of the module sets', () => {
    class Seen extends Size {
      at?: Date;
    }
    expect(shapeOf(Seen).known).toEqual(['width']);
  });

  it('for what is in a field that the service assigns', () => {
    class Plant extends Size {
      @ReadOnly()
      @ValidateNested()
      history?: never[];
    }
    expect(shapeOf(Plant).known).toEqual(['width']);
  });

  it('where there is no field, so that any is too much', () => {
    class Nothing {}
    expect(validateBodySync(Nothing, {}).problems).toEqual([]);
    expect(validateBodySync(Nothing, { name: 'Rex' }).problems).toEqual([
      { path: ['name'], code: 'unknown_field', message: 'is not known; none is' },
    ]);
  });
});

describe('a rule of a group', () => {
  it('counts, because the validator asks for all groups', () => {
    class Visit {
      @IsString({ groups: ['desk'] })
      note!: string;
    }
    expect([...fieldsWithRules(Visit)]).toEqual(['note']);
    expect(validateBodySync(Visit, { note: 7 }).problems).toMatchObject([{ code: 'invalid_type' }]);
  });
});

describe('a class is not plain', () => {
  it.each<[string, unknown, PropertyDecorator[]]>([
    ['nested object', Size, [ValidateNested()]],
    ['type for texts', Array, [Type(() => Number), IsInt({ each: true })]],
    ['list of instants', Array, [IsInstant({ each: true })]],
    ['Date', Date, [IsDate()]],
    ['bigint', BigInt, [IsInt64()]],
  ])('with a %s, which class-transformer makes', (_, declared, decorators) => {
    class Form {}
    Reflect.defineMetadata('design:type', declared, Form.prototype, 'part');
    for (const decorate of decorators) decorate(Form.prototype, 'part');
    PureRules({ plain: true })(Form);
    expect(() => shapeOf(Form)).toThrow(
      new Error('Form is declared to be plain, but part is not. Write @PureRules() alone.'),
    );
  });
});

describe('a `@Transform` that fails for some values', () => {
  it('is no fault of the class', () => {
    class Plant {
      @Transform(({ value }: { value: string }) => BigInt(value))
      @IsInt64()
      id!: bigint;
    }
    expect(shapeOf(Plant).named).toEqual([]);
    expect(validateBodySync(Plant, { id: '7' })).toMatchObject({ dto: { id: 7n }, problems: [] });
  });
});
