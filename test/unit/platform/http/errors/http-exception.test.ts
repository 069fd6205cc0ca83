import { describe, expect, it } from 'vitest';
import { toErrorResponse } from '../../../../../src/platform/http/errors/error-response.js';

describe('an error of http-errors that a module throws', () => {
  const httpError = (statusCode: number, more: object = {}) =>
    Object.assign(new Error('no such dog'), {
      expose: statusCode < 500,
      status: statusCode,
      statusCode,
      ...more,
    });

  it.each<[string, unknown, number, string, string]>([
    ['as it is', httpError(404), 404, 'not_found', 'no such dog'],
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
  ])('has its status, and its message if that is for clients: %s', (_, thrown, status, code, message) => {
    expect(toErrorResponse(thrown)).toMatchObject({ status, code, message });
  });

  it.each<[string, unknown]>([
    ['500', httpError(500)],
    ['a status without a code', httpError(402)],
    ['two statuses', httpError(404, { status: 400 })],
    ['an error of another package', Object.assign(new Error('x'), { statusCode: 404 })],
    ['no status of an error', { statusCode: 200, message: 'x' }],
    ['a broken one', { statusCode: 404.5, message: 'x' }],
    ['no message', { statusCode: 404 }],
  ])('is a fault where Nest takes it for one, too: %s', (_, thrown) => {
    expect(toErrorResponse(thrown)).toMatchObject({ status: 500, code: 'internal_error' });
  });
});
