import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';

describe('input that breaks the rules', () => {
  it('is rejected in a message that names every problem', () => {
    const refusal = new InvalidInput([
      { field: 'name', code: 'blank', message: 'must have at least one visible character' },
      { field: 'price', code: 'out_of_range', message: 'must be positive' },
    ]);
    expect(refusal.message).toBe('name must have at least one visible character; price must be positive');
  });
});
