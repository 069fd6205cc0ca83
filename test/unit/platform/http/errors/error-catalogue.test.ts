import { Controller, Get } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../../../src/kernel/domain-error.js';
import { ApiErrors } from '../../../../../src/platform/http/index.js';
import { catalogueOf } from '../../../../support/error-catalogue.js';

class DogAsleep extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'asleep';
  static readonly meaning = 'The dog sleeps.';
  static readonly remedy = 'Wait until it wakes up.';
}

class CatAsleep extends DomainError {
  static readonly kind = 'unavailable';
  static readonly code = 'asleep';
  static readonly meaning = 'The cat sleeps.';
  static readonly remedy = 'Try again.';
}

class Untraceable extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'not_found';
  static readonly meaning = 'Nobody knows where it is.';
  static readonly remedy = 'Look for it.';
}

class Unpaid {
  static readonly status = 402;
  static readonly code = 'unpaid';
  static readonly meaning = 'It is not paid.';
  static readonly remedy = 'Pay.';
  static readonly again = 'safely only';
}

const LOCKED = { status: 423, code: 'locked', meaning: 'The door is locked.', remedy: 'Unlock it.' };

const controllerWith = (...errors: Parameters<typeof ApiErrors>) => {
  @Controller('dogs')
  class DogsController {
    @Get()
    @ApiErrors(...errors)
    list() {}
  }
  return DogsController;
};

const codesOf = async (...errors: Parameters<typeof ApiErrors>) =>
  (await catalogueOf(controllerWith(...errors))).all();

describe('an error that a module declares', () => {
  it('describes itself in its class', async () => {
    expect((await codesOf(DogAsleep)).get('asleep')).toStrictEqual({
      status: 409,
      meaning: 'The dog sleeps.',
      remedy: 'Wait until it wakes up.',
    });
    const { kind, code, message } = new DogAsleep();
    expect([kind, code, message]).toEqual(['conflict', 'asleep', 'The dog sleeps. Wait until it wakes up.']);
  });

  it('may have any status if it is an exception of Nest', async () => {
    const codes = await codesOf(Unpaid, LOCKED);
    const { code: _, ...locked } = LOCKED;
    expect(codes.get('locked')).toStrictEqual(locked);
    expect(codes.get('unpaid')).toMatchObject({ status: 402, again: 'safely only' });
  });

  it('comes after the errors of the platform, in alphabetical order', async () => {
    expect([...(await codesOf(Unpaid, LOCKED, DogAsleep, 'conflict')).keys()].slice(-4)).toEqual([
      'database_unavailable',
      'asleep',
      'locked',
      'unpaid',
    ]);
  });
});

describe('the catalogue rejects', () => {
  it.each<[string, Parameters<typeof ApiErrors>, string]>([
    [
      'a code that two classes have',
      [DogAsleep, CatAsleep],
      'CatAsleep and DogAsleep both have the error code asleep, so clients could not tell them apart. Give CatAsleep another code,',
    ],
    [
      'a code of the platform',
      [Untraceable],
      'Untraceable and the platform both have the error code not_found, so clients could not tell them apart.',
    ],
    [
      'a code without a description',
      ['asleep' as never],
      '@ApiErrors on DogsController.list names asleep, which is no code of the platform. Pass the class of the error instead,',
    ],
  ])('%s', (_, errors, sentence) => expect(codesOf(...errors)).rejects.toThrow(sentence));
});
