import { IsInt, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../../../src/platform/http/validation/rules.js';

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
    expect(rulesOf(Vaccination).known).toEqual(['dose', 'note']);
    expect([...rulesOf(Visit).fields]).toEqual(['note']);
  });

  it('tells those of one type', () => {
    expect(rulesOf(Vaccination).nested.map(({ name }) => name)).toEqual(['dose']);
  });
});
