import { IsInt, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../../src/kernel/domain-error.js';
import { policyOf, ValidatedBy } from '../../../../../src/platform/http/validation/dto.decorators.js';
import { validateBodySync } from '../../../../../src/platform/http/validation/validate-dto.js';

const tooLoud: Problem = { field: 'voice', code: 'out_of_range', message: 'must be lower' };

@ValidatedBy(({ voice = 0 }: { voice?: number }) => (voice > 3 ? [tooLoud] : []))
class Song {}

class Silence {}

describe('the policy of a body', () => {
  it('is the one that stands on it', () => {
    expect(policyOf(Song)({ voice: 4 })).toEqual([tooLoud]);
    expect(policyOf(Song)({ voice: 3 })).toEqual([]);
  });

  it('objects to nothing where none stands', () => {
    expect(policyOf(Silence)({ voice: 4 })).toEqual([]);
  });

  it('is asked about the well-formed fields of a body that breaks a rule', () => {
    @ValidatedBy((input: object) => [{ ...tooLoud, message: `must fit ${JSON.stringify(input)}` }])
    class Recording {
      @IsString()
      title!: string;

      @IsInt()
      voice!: number;
    }
    expect(validateBodySync(Recording, { title: 7, voice: 4 }).problems).toEqual([
      { path: ['title'], code: 'invalid_type', message: 'must be a string' },
      { path: ['voice'], code: 'out_of_range', message: 'must fit {"voice":4}' },
    ]);
    expect(validateBodySync(Recording, { title: 'Hush', voice: 4 }).problems).toEqual([]);
  });
});
