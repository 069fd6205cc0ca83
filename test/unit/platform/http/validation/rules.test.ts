import { IsInt, IsString, ValidateNested, ValidationTypes } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { fieldsWithRules } from '../../../../../src/platform/http/validation/dto-shape.js';

class Dose {
  @IsInt()
  amount!: number;
}

class Visit {
  @IsString()
  note!: string;
}

class Vaccination extends Visit {
  @ValidateNested()
  dose!: Dose;

  unjudged?: string;
}

describe('what class-validator exports but does not document', () => {
  it('tells the fields of a class that have rules, those of its base class too', () => {
    expect([...fieldsWithRules(Vaccination)].toSorted()).toEqual(['dose', 'note']);
    expect([...fieldsWithRules(Visit)]).toEqual(['note']);
  });

  it('tells those of one type', () => {
    expect([...fieldsWithRules(Vaccination, ValidationTypes.NESTED_VALIDATION)]).toEqual(['dose']);
  });
});
