import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';
import { NewPet, MAX_PET_NAME } from '../../../src/pets/domain/new-pet.js';
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

const codesFor = (name: string) => {
  try {
    NewPet.from({ name, categoryId: 7n });
    return [];
  } catch (error) {
    return (error as InvalidInput).problems.map(({ code }) => code);
  }
};
const codePoint = (code: number) => String.fromCodePoint(code);
const written = (name: string) =>
  [...name].map((sign) => `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');

const C0 = Array.from({ length: 0x20 }, (_, i) => i);
const DEL_AND_C1 = Array.from({ length: 0x21 }, (_, i) => 0x7f + i);

describe("a pet's name", () => {
  it.each([
    ['one letter', 'R'],
    ['as many letters', 'a'.repeat(MAX_PET_NAME)],
    ['as many emoji', '🐶'.repeat(MAX_PET_NAME)],
    ['spaces around something visible', '  Rex  '],
    ['a family of emoji, joined by invisible joiners', '👨‍👩‍👧'],
    ['letters of any script', 'Æøå 猫 Ивáн ‏كلب'],
    ['a byte order mark beside something visible', '\ufeffRex'],
  ])('may be %s', (_, name) => expect(codesFor(name)).toEqual([]));

  it.each([['one letter more', 'a'.repeat(MAX_PET_NAME + 1)]])('is too long with %s', (_, name) =>
    expect(codesFor(name)).toEqual(['too_long']),
  );

  it.each(
    [
      '',
      ' ',
      '\u00a0\u2003\u3000',
      '\u200b',
      '\u200d\ufe0f',
      '\ufeff',
      '\u2800',
      '\uffa0',
      '\u{e0001}\u{e0100}',
    ].map((name) => [written(name), name] as const),
  )('is blank when all there is is [%s]', (_, name) => expect(codesFor(name)).toEqual(['blank']));

  it.each([...C0, ...DEL_AND_C1].map((code) => [written(codePoint(code)), codePoint(code)] as const))(
    'must not contain the control character %s',
    (_, control) => expect(codesFor(`Re${control}x`)).toEqual(['control_character']),
  );

  it.each([
    ['the first half alone', 'Rex \ud83d'],
    ['the second half alone', '\udc36 Rex'],
    ['the halves in the wrong order', '\udc36\ud83d'],
  ])('must not contain half of a surrogate pair: %s', (_, name) => {
    expect(codesFor(name)).toEqual(['malformed_text']);
  });

  it('hears of everything that is wrong with it at once', () => {
    expect(codesFor(`${' '.repeat(MAX_PET_NAME)}\n`).toSorted()).toEqual([
      'blank',
      'control_character',
      'too_long',
    ]);
  });
});
