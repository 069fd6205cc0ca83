import { IsInt, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { ReadOnly } from '../../../../../src/platform/http/validation/dto.decorators.js';
import { knownFields } from '../../../../../src/platform/http/validation/problems.js';

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

  @ReadOnly()
  id?: never;

  unjudged?: string;
}

describe('what class-validator exports but does not document', () => {
  it('tells the fields of a class that have rules, those of its base class too', () => {
    expect(knownFields(Vaccination)).toEqual(['dose', 'note']);
    expect(knownFields(Visit)).toEqual(['note']);
  });
});
