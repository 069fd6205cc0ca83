import {
  BadRequestException,
  ConflictException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorKind, InvalidInput } from '../../../../../src/kernel/domain-error.js';
import { DatabaseUnavailable } from '../../../../../src/platform/database/index.js';
import { PLATFORM_ERRORS, pointerTo, toErrorResponse } from '../../../../support/rooms/http.js';
import { ApiException } from '../../../../../src/platform/http/index.js';

class ShopClosed extends DomainError {
  static readonly code = 'shop_closed';
  static readonly meaning = 'The shop is closed.';
  static readonly remedy = 'Come back tomorrow.';

  constructor(override readonly kind: ErrorKind) {
    super();
  }
}

describe('an error of the domain', () => {
  it.each<[ErrorKind, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['gone', 410],
    ['unavailable', 503],
  ])('of kind %s has the status %i', (kind, status) => {
    expect(toErrorResponse(new ShopClosed(kind))).toMatchObject({
      status,
      code: 'shop_closed',
      message: expect.stringMatching(/^The shop is closed\. Come back tomorrow\./) as string,
    });
  });

  it('for invalid input names each field by a pointer into the body', () => {
    const answer = toErrorResponse(
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

describe('an error', () => {
  it.each([
    new ShopClosed('unavailable'),
    new DatabaseUnavailable(),
    new ApiException('overloaded', 'Later.'),
    new ApiException('shutting_down', 'Elsewhere.'),
  ])('that is temporary has Retry-After: %s', (error) =>
    expect(toErrorResponse(error).headers).toMatchObject({ 'Retry-After': expect.stringMatching(/^\d+$/) }),
  );

  it('of HTTP shows its body to the filters of modules, and nothing else', () => {
    const details = [{ field: '/a', code: 'required', message: 'is required' }] as const;
    const error = new ApiException('validation_failed', 'No.', { headers: { Allow: 'GET' }, details });
    const body = { code: 'validation_failed', message: 'No.', status: 400 };
    expect(error.getResponse()).toStrictEqual({ ...body, details });
    expect(JSON.stringify(new ApiException('not_found', 'No.').getResponse())).toBe(
      '{"code":"not_found","message":"No.","status":404}',
    );
  });
});

const UNDECODABLE = { cause: Object.assign(new URIError(), { status: 400 }) };
const NO_PATH = new ApiException('route_not_found').message;

describe('an exception of Nest that a module throws', () => {
  it.each<[HttpException, number, string, string]>([
    [new BadRequestException('no such day'), 400, 'bad_request', 'no such day'],
    [new UnauthorizedException('sign in'), 401, 'unauthorized', 'sign in'],
    [new NotFoundException('no such visit'), 404, 'not_found', 'no such visit'],
    [new ServiceUnavailableException('closed'), 503, 'service_unavailable', 'closed'],
    [new BadRequestException(['one thing', 'another']), 400, 'bad_request', 'one thing; another'],
    [new HttpException({ status: 403, error: 'no entry' }, 403), 403, 'forbidden', 'no entry'],
    [new ConflictException({ code: 'not_of_ours', message: 'taken' }), 409, 'conflict', 'taken'],
    [new NotFoundException({ code: 'route_not_found', message: 'here' }), 404, 'route_not_found', 'here'],
    [new NotFoundException(), 404, 'not_found', 'Not Found'],
    [new NotFoundException('', { errorCode: 'route_not_found' }), 404, 'route_not_found', 'Not Found'],
    [
      new HttpException({ message: 'here', errorCode: 'route_not_found' }, 404),
      404,
      'route_not_found',
      'here',
    ],
    [new HttpException('gone', 404, { errorCode: 'E1' }), 404, 'not_found', 'gone'],
    [new BadRequestException('no name', { cause: new URIError() }), 400, 'bad_request', 'no name'],
    [new BadRequestException('%secret', UNDECODABLE), 404, 'route_not_found', NO_PATH],
  ])('%s keeps its message and has the code of its status', (error, status, code, message) => {
    expect(toErrorResponse(error)).toMatchObject({ status, code, message });
  });

  it.each<[string, unknown, string]>([
    ['objects with messages', [{ path: 'a', message: 'a is bad' }, { message: 'b too' }], 'a is bad; b too'],
    ['texts and objects', ['a is bad', { path: 'b' }, { message: 'c too' }], 'a is bad; c too'],
    ['objects without any', [{ path: 'a' }, null, [], undefined], 'Bad Request'],
    ['an object as the message', { message: { a: 1 } }, 'Bad Request Exception'],
    ['a message within the message', { message: { message: 'a is bad' } }, 'a is bad'],
    ['an error within', { error: { message: 'a is bad' } }, 'a is bad'],
    ['a number', { message: 7 }, '7'],
    [
      'what failed, as Terminus reports it',
      { status: 'error', info: {}, error: { redis: { status: 'down' }, disk: {} }, details: {} },
      'Bad Request Exception: redis, disk',
    ],
    ['nothing at all', {}, 'Bad Request Exception'],
  ])('has a text as its message, whatever it was created with: %s', (_, given, message) => {
    expect(toErrorResponse(new BadRequestException(given as object)).message).toBe(message);
  });

  it('has the code that a module describes for a status without a general code', () => {
    const thrown = (status: number) => new HttpException({ code: 'unpaid', message: 'pay first' }, status);
    expect(toErrorResponse(thrown(402))).toMatchObject({ status: 500, code: 'internal_error' });
    const unpaid = { status: 402, meaning: 'It is not paid.', remedy: 'Pay.' };
    const codes = new Map([...PLATFORM_ERRORS, ['unpaid', unpaid]]);
    expect(toErrorResponse(thrown(402), codes)).toMatchObject({
      status: 402,
      code: 'unpaid',
      message: 'pay first',
    });
    expect(toErrorResponse(thrown(418), codes)).toMatchObject({ status: 500, code: 'internal_error' });
  });
});

/** As the package http-errors makes it. */
const httpError = (statusCode: number, more: object = {}) =>
  Object.assign(new Error('secret'), { expose: statusCode < 500, status: statusCode, statusCode, ...more });

describe('an error of http-errors that a module throws', () => {
  it.each<[string, unknown, number, string, string]>([
    ['as it is', httpError(404, { message: 'no such dog' }), 404, 'not_found', 'no such dog'],
    ['a plain object of its form', { statusCode: 409, message: 'taken' }, 409, 'conflict', 'taken'],
    ['not to be exposed', httpError(404, { expose: false }), 404, 'not_found', 'Not Found'],
    ['a failure', httpError(503), 503, 'service_unavailable', 'Service Unavailable'],
    [
      'a failure in an object',
      { statusCode: 503, message: 'x' },
      503,
      'service_unavailable',
      'Service Unavailable',
    ],
  ])(
    'has its status, and its message if the message is for clients: %s',
    (_, thrown, status, code, message) => {
      expect(toErrorResponse(thrown)).toMatchObject({ status, code, message });
    },
  );
});

describe('a fault of the service', () => {
  class Unnamed extends DomainError {}

  it.each<[string, unknown]>([
    ['an error', new Error('secret')],
    ['a text', 'secret'],
    ['an object', { status: 404, message: 'secret' }],
    ['nothing', undefined],
    ['null', null],
    ['an error of the domain without a kind', new Unnamed('secret')],
    ["Nest's exception for one", new InternalServerErrorException('secret')],
    ['a status that no code has', new HttpException('secret', 418)],
    // Nest treats this as a fault too.
    ['500 of http-errors', httpError(500)],
    ['a status of http-errors without a code', httpError(402)],
    ['two statuses', httpError(404, { status: 400 })],
    ['an error of another package', Object.assign(new Error('secret'), { status: 404, statusCode: 404 })],
    ['a status that is not an error', { statusCode: 200, message: 'secret' }],
    ['a malformed status', { statusCode: 404.5, message: 'secret' }],
    ['no message', { statusCode: 404 }],
  ])('gets 500, and the response reveals nothing: %s', (_, thrown) => {
    const { status, code, message, details } = toErrorResponse(thrown);
    expect({ status, code, details }).toEqual({ status: 500, code: 'internal_error', details: undefined });
    expect(message).not.toContain('secret');
  });
});

describe('the message of an error with details', () => {
  it('is a sentence even when the body as a whole is wrong', () => {
    const problem = { field: '', code: 'invalid_type', message: 'The body must be a JSON object' } as const;
    expect(ApiException.ofProblems('invalid_json', [problem]).message).toBe(
      'The body must be a JSON object.',
    );
  });

  it('names a limited number of problems, and says how many more there are, and so do the details', () => {
    const problems = (count: number) =>
      new InvalidInput(
        Array.from({ length: count }, (_, i) => ({
          field: `f${i}`,
          code: 'required',
          message: 'is required',
        })),
      );
    const { message, details } = toErrorResponse(problems(1_000));
    expect(details).toHaveLength(50);
    expect(message).toMatch(/^\/f0 is required; .*\/f49 is required; and 950 more\.$/);
    expect(toErrorResponse(problems(50)).message).toMatch(/\/f49 is required\.$/);
  });

  it('shortens long names to their beginning, in whole characters', () => {
    expect(pointerTo('n'.repeat(65))).toBe(`/${'n'.repeat(64)}…`);
    expect(pointerTo('n'.repeat(64))).toBe(`/${'n'.repeat(64)}`);
    expect(pointerTo(`n${'🐶'.repeat(64)}`).isWellFormed()).toBe(true);
    expect(pointerTo('~/'.repeat(40))).toBe(`/${'~0~1'.repeat(32)}…`);
  });
});
