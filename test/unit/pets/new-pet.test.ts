import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';
import { NewPet } from '../../../src/pets/domain/new-pet.js';
import { PET_STATUSES } from '../../../src/pets/domain/pet-status.js';
import { aNewPetInput } from '../../support/pet-builder.js';
import { anyText } from '../../support/any-text.js';

describe('a pet that somebody wants to add', () => {
  it('is available unless the input says otherwise', () => {
    expect(NewPet.from(aNewPetInput()).props.status).toBe('available');
  });

  it.each(PET_STATUSES)('may be %s from the start', (status) => {
    expect(NewPet.from(aNewPetInput({ status })).props.status).toBe(status);
  });

  it('keeps its name exactly, composed or decomposed, with every space', () => {
    const withoutControls = anyText().map((text) => text.replace(/\p{Cc}/gu, ''));
    fc.assert(
      fc.property(withoutControls, (text) => {
        const name = ` R${text}u\u0308 `;
        expect(NewPet.from(aNewPetInput({ name })).props.name).toBe(name);
      }),
    );
  });

  it.each([-(2n ** 63n), 0n, 2n ** 63n - 1n])('may belong to category %s, known or not', (categoryId) => {
    expect(NewPet.from(aNewPetInput({ categoryId })).props.categoryId).toBe(categoryId);
  });

  it('is refused with all problems of its name', () => {
    const message = 'must not contain control characters';
    expect(() => NewPet.from(aNewPetInput({ name: 'a\u0000' }))).toThrow(
      new InvalidInput([{ field: 'name', code: 'control_character', message }]),
    );
  });
});
