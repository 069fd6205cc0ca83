import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../../src/kernel/domain-error.js';
import { policyOf, ValidatedBy } from '../../../../../src/platform/http/validation/dto.decorators.js';

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
});
