import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';
import { errorBody, uriReference } from '../../../../../src/platform/http/errors/write-error.js';
import { errorResponse, type ErrorResponse } from '../../../../../src/platform/http/errors/api-exception.js';

const { IncomingMessage: Request } = expressMessages(express(), '');
const AS_PROBLEM = true;
const details = [{ field: '/name', code: 'required', message: 'is required' }] as const;
const invalid = errorResponse('validation_failed', 'Say "please".', { details });
const error = { code: 'validation_failed', message: 'Say "please".', status: 400, details };

const sent = (answer: ErrorResponse, asProblem: boolean) => {
  const request = Object.assign(new Request(new Socket()), { url: '/v1/pets' });
  request.headers.accept = asProblem ? 'application/problem+json' : 'application/json';
  const { contentType, body } = errorBody(answer, new ServerResponse(request));
  return { contentType, body: JSON.parse(body) as unknown };
};

describe('the body of an error', () => {
  it('has code, message, status and details', () => {
    expect(sent(invalid, !AS_PROBLEM)).toEqual({
      contentType: 'application/json; charset=utf-8',
      body: error,
    });
  });

  it('has nothing else, and no details where nothing was checked', () => {
    const { body } = sent(errorResponse('route_not_found', 'Nothing here.'), !AS_PROBLEM);
    expect(body).toStrictEqual({ code: 'route_not_found', message: 'Nothing here.', status: 404 });
  });

  it('has the members of RFC 9457 as well when it is sent as a problem', () => {
    expect(sent(invalid, AS_PROBLEM)).toEqual({
      contentType: 'application/problem+json; charset=utf-8',
      body: {
        type: '/docs/errors#validation_failed',
        title: 'Validation failed',
        detail: 'Say "please".',
        instance: '/v1/pets',
        ...error,
      },
    });
  });
});

describe('the address of a problem (RFC 9457 section 3.1.5)', () => {
  it.each([
    ['/v1/pets/1', '/v1/pets/1'],
    ["/a-._~!$&'()*+,;=:@b/%C3%BC", "/a-._~!$&'()*+,;=:@b/%C3%BC"],
    ['/v1/pets/"<>\\^`{|}', '/v1/pets/%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ['/\u00c3\u00bc', '/%C3%BC'],
    ['/100%/%zz/%4', '/100%25/%25zz/%254'],
    ['/a[1]', '/a%5B1%5D'],
    ['//evil.example/v1/pets', '/.//evil.example/v1/pets'],
    ['*', '*'],
  ])('is a URI reference: %s is %s', (path, reference) => {
    expect(uriReference(path)).toBe(reference);
    expect(new URL(reference, 'http://here.example/').host).toBe('here.example');
  });
});
