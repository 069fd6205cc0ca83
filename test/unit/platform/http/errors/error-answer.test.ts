import { HttpException, NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorKind, InvalidInput } from '../../../../../src/kernel/domain-error.js';
import { DatabaseUnavailable } from '../../../../../src/platform/database/database-errors.js';
import { answerTo, summaryOf } from '../../../../../src/platform/http/errors/error-answer.js';
import { HttpRefusal } from '../../../../../src/platform/http/errors/http-refusal.js';

class Refusal extends DomainError {
  readonly code = 'shop_closed';

  constructor(readonly kind: ErrorKind) {
    super('The shop is closed. Come back tomorrow.');
  }
}

const STATUSES: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  unavailable: 503,
};

describe('a refusal of the domain', () => {
  it.each(Object.entries(STATUSES) as [ErrorKind, number][])(
    'of kind %s is answered with %i',
    (kind, status) => {
      expect(answerTo(new Refusal(kind))).toMatchObject({
        status,
        code: 'shop_closed',
        message: 'The shop is closed. Come back tomorrow.',
      });
    },
  );

  it('for bad input names each field by a pointer into the body', () => {
    const answer = answerTo(
      new InvalidInput([
        { field: 'name', code: 'blank', message: 'must be visible' },
        { field: 'price', code: 'out_of_range', message: 'must be positive' },
      ]),
    );
    expect(answer).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: '/name must be visible; /price must be positive.',
      details: [
        { field: '/name', code: 'blank', message: 'must be visible' },
        { field: '/price', code: 'out_of_range', message: 'must be positive' },
      ],
    });
  });
});

describe('whoever is told to come later', () => {
  it.each([
    new Refusal('unavailable'),
    new DatabaseUnavailable(),
    new HttpRefusal('overloaded', 'Later.'),
    new HttpRefusal('shutting_down', 'Elsewhere.'),
    new HttpRefusal('timeout', 'Later.'),
  ])('is told when: %s', (error) =>
    expect(answerTo(error).headers).toMatchObject({ 'Retry-After': expect.stringMatching(/^\d+$/) }),
  );
});

describe('a refusal of HTTP', () => {
  it('is answered as it is, with its headers', () => {
    const refusal = new HttpRefusal('method_not_allowed', 'Use GET.', { headers: { Allow: 'GET' } });
    expect(answerTo(refusal)).toMatchObject({
      status: 405,
      code: 'method_not_allowed',
      message: 'Use GET.',
      headers: { Allow: 'GET' },
    });
  });
});

describe('a refusal of the framework', () => {
  it.each([
    ['a path nobody serves', new NotFoundException('Cannot GET /secret'), 404, 'route_not_found'],
    [
      'an address that cannot be decoded',
      new HttpException('%secret', 400, { cause: new URIError() }),
      404,
      'route_not_found',
    ],
    ['too large a body', new PayloadTooLargeException('secret'), 413, 'payload_too_large'],
    ['a status that is not in our list', new HttpException('secret', 418), 500, 'internal_error'],
  ])('for %s is told in our words', (_, error, status, code) => {
    const answer = answerTo(error);
    expect(answer).toMatchObject({ status, code });
    expect(answer.message).not.toContain('secret');
  });
});

describe('a fault of ours', () => {
  it.each<[string, unknown]>([
    ['an error', new Error('secret')],
    ['a programming mistake', new TypeError('secret is not a function')],
    [
      'an error with a status of its own',
      Object.assign(new Error('secret'), { status: 404, code: 'secret' }),
    ],
    ['a text', 'secret'],
    ['an object', { status: 404, message: 'secret' }],
    ['nothing', undefined],
    ['null', null],
  ])('is answered with 500 and none of it leaks: %s', (_, thrown) => {
    const { status, code, message, details } = answerTo(thrown);
    expect({ status, code, details }).toEqual({ status: 500, code: 'internal_error', details: undefined });
    expect(message).not.toContain('secret');
  });
});

describe('the message of a refusal with details', () => {
  it('is a sentence even when the body as a whole is wrong', () => {
    const problem = { field: '', code: 'invalid_type', message: 'The body must be a JSON object' } as const;
    expect(summaryOf([problem])).toBe('The body must be a JSON object.');
  });
});
