import { describe, expect, it } from 'vitest';
import { hasValues } from '../../../src/kernel/index.js';

interface Stay {
  readonly guest: string;
  readonly nights?: bigint;
  readonly from: Date;
  readonly extras: readonly string[];
  readonly chip: Buffer;
}

const STAY: Stay = {
  guest: 'Rex',
  from: new Date(7),
  extras: ['bath', 'walk'],
  chip: Buffer.from([1, 2]),
};

describe('an entity', () => {
  it.each<Partial<Stay>>([
    {},
    { guest: 'Rex' },
    { from: new Date(7), extras: ['bath', 'walk'], chip: Buffer.from([1, 2]) },
    { nights: undefined } as Partial<Stay>,
  ])('has the values %j already', (change) => {
    expect(hasValues(STAY, change)).toBe(true);
  });

  it.each<Partial<Stay>>([
    { guest: 'rex' },
    { guest: 'Rex', nights: 2n },
    { from: new Date(8) },
    { extras: ['walk', 'bath'] },
    { extras: ['bath'] },
    { extras: ['bath', 'walk', 'food'] },
    { extras: 'bath' as unknown as string[] },
    { from: 7 as unknown as Date },
    { guest: new Date(7) as unknown as string },
    { guest: ['R', 'e', 'x'] as unknown as string },
    { chip: Buffer.from([1, 3]) },
  ])('does not have all values of a change', (change) => {
    expect(hasValues(STAY, change)).toBe(false);
  });
});
