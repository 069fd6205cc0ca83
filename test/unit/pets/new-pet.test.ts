import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InvalidInput } from '../../../src/kernel/domain-error.js';
import { NewPet, MAX_PET_NAME } from '../../../src/pets/domain/new-pet.js';
import { PET_STATUSES } from '../../../src/pets/domain/pet-status.js';
import { aNewPetInput } from '../../support/pet-builder.js';
import { anyText } from '../../support/any-text.js';

describe('a new pet', () => {
  it('is available unless the input sets a status', () => {
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
});

const codesFor = (name: string) => {
  try {
    NewPet.from({ name, categoryId: 7n });
    return [];
  } catch (error) {
    return (error as InvalidInput).problems.map(({ field, code }) => `${field} ${code}`);
  }
};

describe("a pet's name", () => {
  it.each([
    ['as many letters as the limit', 'a'.repeat(MAX_PET_NAME)],
    ['as many emoji as the limit', '🐶'.repeat(MAX_PET_NAME)],
    ['spaces around something visible', '  R  '],
    ['a family of emoji, joined by invisible joiners', '👨‍👩‍👧'],
    ['letters of any script', 'Æøå 猫 Ивáн ‏كلب'],
    ['a byte order mark beside something visible', '\ufeffRex'],
  ])('may be %s', (_, name) => expect(codesFor(name)).toEqual([]));

  it('is too long with one letter more than the limit', () => {
    expect(codesFor('a'.repeat(MAX_PET_NAME + 1))).toEqual(['name too_long']);
  });

  // Spaces, format characters, and filler letters.
  it.each([
    '',
    ' ',
    '\u00a0\u2003\u3000',
    '\u200b',
    '\u200d\ufe0f',
    '\ufeff',
    '\u2800',
    '\uffa0',
    '\u{e0001}\u{e0100}',
  ])('is blank when it consists of "%s"', (name) => expect(codesFor(name)).toEqual(['name blank']));

  it('must not contain a control character of C0 or C1', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => code).filter(
      (code) => code < 0x20 || code >= 0x7f,
    );
    const accepted = controls.filter(
      (code) => codesFor(`Re${String.fromCodePoint(code)}x`).join() !== 'name control_character',
    );
    expect([controls.length, accepted]).toEqual([65, []]);
  });

  it.each(['Rex \ud83d', '\udc36 Rex', '\udc36\ud83d'])(
    'must not contain half of a surrogate pair: %j',
    (name) => expect(codesFor(name)).toEqual(['name malformed_text']),
  );

  it('reports all of its problems at once', () => {
    expect(codesFor(`${' '.repeat(MAX_PET_NAME)}\n`)).toEqual([
      'name blank',
      'name control_character',
      'name too_long',
    ]);
  });
});
