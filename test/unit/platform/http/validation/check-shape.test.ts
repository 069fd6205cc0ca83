import { describe, expect, it } from 'vitest';
import { checkShape } from '../../../../../src/platform/http/validation/check-shape.js';
import {
  IsInt64,
  IsOneOf,
  IsText,
  Optional,
  ReadOnly,
  Required,
} from '../../../../../src/platform/http/validation/field-rules.js';

class Delivery {
  @Required()
  @IsText()
  address!: string;

  @Required()
  @IsInt64()
  amount!: number;

  @ReadOnly()
  number?: never;
}

class Express extends Delivery {
  @Optional()
  @IsOneOf(['morning', 'evening'])
  daytime?: string;
}

class Ring {
  @Optional()
  @IsText()
  size?: string;
}

const good = { address: 'Main Street 1', amount: 3 };
const codesOf = (data: object) =>
  checkShape(Delivery, data).problems.map(({ field, code }) => `${field} ${code}`);
const hintFor = (field: string) => checkShape(Delivery, { ...good, [field]: 1 }).problems[0]?.message;

describe('data that is held against its rules', () => {
  it('becomes the thing itself when it keeps them', () => {
    const { dto, problems } = checkShape(Delivery, good);
    expect(problems).toEqual([]);
    expect(dto).toBeInstanceOf(Delivery);
    expect(dto).toMatchObject(good);
  });

  it('hears of everything that is wrong at once', () => {
    expect(codesOf({ address: 7, number: 5, colour: 'red' })).toEqual([
      'colour unknown_field',
      'address invalid_type',
      'amount required',
      'number read_only_field',
    ]);
  });

  it('hears of one problem of a field once', () => {
    expect(codesOf({ address: null, amount: 'three' })).toEqual([
      'address invalid_type',
      'amount invalid_type',
    ]);
  });

  it('must also keep the rules that a thing has from its kind', () => {
    const { problems } = checkShape(Express, { daytime: 'noon' });
    expect(problems.map(({ field }) => field).toSorted()).toEqual(['address', 'amount', 'daytime']);
  });

  it('does not lend its rules to other things of its kind', () => {
    expect(codesOf({ ...good, daytime: 'morning' })).toEqual(['daytime unknown_field']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'cannot hide the rules behind a field named %s',
    (field) => {
      expect(codesOf({ [field]: { name: 'Object' } })).toEqual([
        `${field} unknown_field`,
        'address required',
        'amount required',
      ]);
    },
  );
});

describe('a field that is not known', () => {
  it.each([
    ['adress', 'address'],
    ['Address', 'address'],
    ['amuont', 'amount'],
    ['amounts', 'amount'],
  ])('is taken for a slip of the hand: %s for %s', (field, meant) => {
    expect(hintFor(field)).toBe(`is not known; did you mean ${meant}`);
  });

  it.each(['colour', '', 'a', 'x'.repeat(1_000)])(
    'is answered with the list when nothing is near: "%s"',
    (field) => {
      expect(hintFor(field)).toBe('is not known; known are address, amount');
    },
  );

  it.each([
    ['sice', 'did you mean size'],
    ['nice', 'known are size'],
  ])('must be nearer to a short name than to a long one: %s', (field, hint) => {
    expect(checkShape(Ring, { [field]: 'L' }).problems[0]?.message).toBe(`is not known; ${hint}`);
  });

  it('is never taken for a field that the service assigns', () => {
    expect(hintFor('numbers')).toBe('is not known; known are address, amount');
  });
});
