import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Get,
  HttpException,
  InternalServerErrorException,
  MethodNotAllowedException,
  NotFoundException,
  NotImplementedException,
  Param,
  Post,
  Res,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import type { Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError, type ErrorKind, InvalidInput } from '../../../src/kernel/domain-error.js';
import { DatabaseUnavailable } from '../../../src/platform/database/index.js';
import { ApiErrors, ApiException, Public } from '../../../src/platform/http/index.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { StatementFailed } from '../../support/rooms/database.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

/** What the handlers throw, and what they do before. A request names it by its number. */
const throws: { error: unknown; before: (response: Response) => void }[] = [];

const UNPAID = { status: 402, code: 'unpaid', meaning: 'It is not paid.', remedy: 'Pay.' };

@Public()
@Controller('thrown')
class ThrowingController {
  @Get(':number')
  @ApiErrors(UNPAID)
  get(@Param('number') number: number, @Res({ passthrough: true }) response: Response) {
    throws[number]!.before(response);
    throw throws[number]!.error;
  }

  @Post(':number')
  post(@Param('number') number: number, @Body() _body: object) {
    throw throws[number]!.error;
  }
}

let service: Service;
const log = new Recorder();
beforeAll(async () => {
  const throwing = { module: class Throwing {}, controllers: [ThrowingController] };
  service = await startService(sqlite, { modules: [throwing], log });
});
afterAll(() => service.stop());

interface ErrorBody {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly field: string }[];
}

/** The response to a request whose handler throws this error. */
function answerTo(error: unknown, init: RequestInit = {}, before: (response: Response) => void = () => {}) {
  const number = throws.push({ error, before }) - 1;
  return fetch(`http://127.0.0.1:${service.port}/v1/thrown/${number}`, init);
}
const bodyFor = async (error: unknown, init?: RequestInit) =>
  (await (await answerTo(error, init)).json()) as ErrorBody;

/** A request whose body the domain rejects. */
const JSON_BODY = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

class ShopClosed extends DomainError {
  static readonly code = 'shop_closed';
  static readonly meaning = 'The shop is closed.';
  static readonly remedy = 'Come back tomorrow.';

  constructor(override readonly kind: ErrorKind) {
    super();
  }
}

/** An error as the package http-errors makes it. */
const httpError = (statusCode: number, more: object = {}) =>
  Object.assign(new Error('secret'), { expose: statusCode < 500, status: statusCode, statusCode, ...more });

// The log is the first to see these faults, because it counts repeated faults for 10 s.
describe('the log of an error', () => {
  const written = (from: number) =>
    log.text
      .slice(from)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { context: string; level: number; msg: string; err?: object })
      .filter(({ context }) => context === 'Error');

  /** The lines that these errors add to the log: the level, the message, and whether there is a stack. */
  async function linesOf(...errors: unknown[]) {
    const before = log.text.length;
    // A line that must not appear would come before the line of the last error.
    for (const error of [...errors, new RangeError('the last one')]) await (await answerTo(error)).text();
    await eventually(async () => log.text.includes('RangeError', before));
    return written(before)
      .slice(0, -1)
      .map(({ level, msg, err }) => [level, msg, err !== undefined]);
  }
  const [WARN, ERROR] = [40, 50];

  it('contains a fault of the service with its stack, and a repeated fault as a line with its number', async () => {
    const bark = (name: unknown) => new TypeError(`${String(name)}.bark is not a function`);
    const START = 'SELECT id, name, category_id, status FROM pets WHERE id IN (';
    const pets = (places: string) => new StatementFailed('ER_BAD_FIELD_ERROR', `${START}${places})`);
    const at = expect.stringMatching(/^internal_error: TypeError at bark \(.*\), 2 times in 10 s$/) as string;
    expect(
      await linesOf(bark('Rex'), bark('Fifi\n    at kennel'), pets('?'), pets('?, ?'), 'no error'),
    ).toEqual([
      [ERROR, 'Rex.bark is not a function', true],
      [ERROR, at, false],
      [ERROR, `ER_BAD_FIELD_ERROR from ${START}?)`, true],
      [ERROR, `internal_error: ER_BAD_FIELD_ERROR from ${START}, 2 times in 10 s`, false],
      [ERROR, 'no error', false],
    ]);
  });

  it('contains what was thrown, even if it is not an error, without properties, which may be secret', async () => {
    expect(await linesOf(undefined, null, { a: 1 }, 5)).toEqual(
      ['undefined', 'null', 'Object: no error was thrown, but this', '5'].map((text) => [ERROR, text, false]),
    );
  });

  it('contains one line with the reason when the database cannot be reached', async () => {
    const reason = 'connect ECONNREFUSED 127.0.0.1:3306';
    expect(await linesOf(new DatabaseUnavailable(new Error(reason)))).toEqual([
      [WARN, `database_unavailable: ${reason}`, false],
    ]);
  });

  it.each([
    [new NotImplementedException('later'), 501, 'not_implemented'],
    [new HttpException('locked', 423), 423, 'locked'],
    [httpError(424), 424, 'failed_dependency'],
  ])('says how to return a status without an error code: %s', async (error, status, code) => {
    expect(await linesOf(error)).toEqual([
      [
        ERROR,
        `${status} has no error code, so it is answered with 500: put ` +
          `@ApiErrors({ status: ${status}, code: '${code}', meaning, remedy }) on the operation`,
        true,
      ],
    ]);
  });

  it('is empty for errors of the client', async () => {
    const errors = [new ShopClosed('not_found'), new ApiException('invalid_json', 'No JSON.')];
    expect(await linesOf(...errors)).toEqual([]);
  });
});

describe('an error of the domain', () => {
  it.each<[ErrorKind, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['gone', 410],
    ['unavailable', 503],
  ])('of kind %s has the status %i', async (kind, status) => {
    const answer = await answerTo(new ShopClosed(kind));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      status,
      code: 'shop_closed',
      message: expect.stringMatching(/^The shop is closed\. Come back tomorrow\./) as string,
    });
  });

  it('for invalid input names each field by a pointer into the body', async () => {
    const problems = [
      { field: 'name', code: 'blank', message: 'must be visible' },
      { field: 'price', code: 'out_of_range', message: 'must be positive' },
    ] as const;
    expect(await bodyFor(new InvalidInput(problems), JSON_BODY)).toEqual({
      status: 400,
      code: 'validation_failed',
      message: '/name must be visible; /price must be positive.',
      details: problems.map((problem) => ({ ...problem, field: `/${problem.field}` })),
    });
  });

  it('names a limited number of problems, and says how many more there are', async () => {
    const bodyWith = (count: number) => {
      const fields = Array.from({ length: count }, (_, i) => `f${i}`);
      const problems = fields.map((field) => ({ field, code: 'required', message: 'is required' }) as const);
      return bodyFor(new InvalidInput(problems), JSON_BODY);
    };
    const { message, details } = await bodyWith(1_000);
    expect(details).toHaveLength(50);
    expect(message).toMatch(/^\/f0 is required; .*\/f49 is required; and 950 more\.$/);
    expect((await bodyWith(50)).message).toMatch(/\/f49 is required\.$/);
  });

  it.each([
    ['n'.repeat(65), `/${'n'.repeat(64)}…`],
    ['n'.repeat(64), `/${'n'.repeat(64)}`],
    [`n${'🐶'.repeat(64)}`, `/n${'🐶'.repeat(31)}\ufffd…`],
    ['~/'.repeat(40), `/${'~0~1'.repeat(32)}…`],
  ])('shortens a long name to its beginning, in whole characters: %s', async (field, pointer) => {
    const problem = { field, code: 'required', message: 'is required' } as const;
    const { details } = await bodyFor(new InvalidInput([problem]), JSON_BODY);
    expect(details).toEqual([{ ...problem, field: pointer }]);
  });
});

const UNDECODABLE = { cause: Object.assign(new URIError(), { status: 400 }) };
const NO_PATH = new ApiException('route_not_found').message;

describe('an exception of Nest', () => {
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
    // A module describes this code for a status that has no general code.
    [new HttpException({ code: 'unpaid', message: 'pay first' }, 402), 402, 'unpaid', 'pay first'],
  ])('%s keeps its message and has the code of its status', async (error, status, code, message) => {
    expect(await bodyFor(error)).toEqual({ status, code, message });
  });

  it.each<[string, unknown, string]>([
    ['objects with messages', [{ path: 'a', message: 'a is bad' }, { message: 'b too' }], 'a is bad; b too'],
    ['texts and objects', ['a is bad', { path: 'b' }, { message: 'c too' }], 'a is bad; c too'],
    ['objects without messages', [{ path: 'a' }, null, [], undefined], 'Bad Request'],
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
  ])('has a text as its message, whatever it was created with: %s', async (_, given, message) => {
    expect((await bodyFor(new BadRequestException(given as object))).message).toBe(message);
  });
});

describe('an error of http-errors', () => {
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
    async (_, thrown, status, code, message) => {
      expect(await bodyFor(thrown)).toEqual({ status, code, message });
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
    ["Nest's exception for a fault", new InternalServerErrorException('secret')],
    ['a status that no code has', new HttpException('secret', 418)],
    ['a code of another status', new HttpException({ code: 'unpaid', message: 'secret' }, 418)],
    // Nest treats this as a fault too.
    ['500 of http-errors', httpError(500)],
    ['a status of http-errors without a code', httpError(423)],
    ['two statuses', httpError(404, { status: 400 })],
    ['an error of another package', Object.assign(new Error('secret'), { status: 404, statusCode: 404 })],
    ['a status that is not an error', { statusCode: 200, message: 'secret' }],
    ['a malformed status', { statusCode: 404.5, message: 'secret' }],
    ['no message', { statusCode: 404 }],
  ])('gets 500, and the response reveals nothing: %s', async (_, thrown) => {
    const body = await bodyFor(thrown);
    const { message } = new ApiException('internal_error');
    expect(body).toEqual({ status: 500, code: 'internal_error', message });
    expect(message).not.toContain('secret');
  });

  it('cuts off a response that was sent in part, so that no client accepts it as complete', async () => {
    const answer = answerTo(new Error('secret'), {}, (response) => response.write('{"name":"R'));
    await expect(answer.then((half) => half.text())).rejects.toThrow();
  });

  it('changes nothing after the end of the response', async () => {
    const answer = await answerTo(new Error('secret'), {}, (response) => response.end('whole'));
    expect(await answer.text()).toBe('whole');
  });
});

describe('the headers of an error', () => {
  const bare = (status: number) => new HttpException('x', status);

  it.each<[string, unknown, string, string | null, set?: Readonly<Record<string, string>>]>([
    ['401 requires a challenge', bare(401), 'WWW-Authenticate', 'Bearer realm="petstore"'],
    // Another key would not help after a bare 403, so the response does not ask for one.
    ['403 requires none', bare(403), 'WWW-Authenticate', null],
    ['429 requires a time', bare(429), 'Retry-After', '1'],
    ['503 requires a time', bare(503), 'Retry-After', '1'],
    [
      'an error of the domain, too',
      new ShopClosed('unauthenticated'),
      'WWW-Authenticate',
      'Bearer realm="petstore"',
    ],
    ['a temporary error of the domain', new ShopClosed('unavailable'), 'Retry-After', '1'],
    ['the database is away', new DatabaseUnavailable(), 'Retry-After', '1'],
    ['the service is busy', new ApiException('overloaded', 'Later.'), 'Retry-After', '1'],
    ['the service stops', new ApiException('shutting_down', 'Elsewhere.'), 'Retry-After', '1'],
    [
      '405 requires the methods of the path',
      new ApiException('method_not_allowed'),
      'Allow',
      'GET, HEAD, OPTIONS, POST',
    ],
    [
      'the headers of the exception',
      new ApiException('method_not_allowed', 'Use POST.', { headers: { Allow: 'POST' } }),
      'Allow',
      'POST',
    ],
    // A guard may know better when to retry.
    ['kept', new MethodNotAllowedException(), 'Allow', 'PUT', { Allow: 'PUT' }],
    ['kept', bare(429), 'Retry-After', '60', { 'Retry-After': '60' }],
    ['kept', bare(401), 'WWW-Authenticate', 'Basic', { 'WWW-Authenticate': 'Basic' }],
    ['kept', new ApiException('overloaded', 'Later.'), 'Retry-After', '60', { 'Retry-After': '60' }],
    ['kept', new ShopClosed('unavailable'), 'Retry-After', '60', { 'Retry-After': '60' }],
    [
      'replaced',
      new ApiException('rate_limited', 'Later.', { headers: { 'Retry-After': '7' } }),
      'Retry-After',
      '7',
      { 'Retry-After': '60' },
    ],
  ])('are those that HTTP requires (%s): %s has %s: %s', async (_, error, name, value, set = {}) => {
    const answer = await answerTo(error, {}, (response) => response.set(set));
    await answer.text();
    expect(answer.headers.get(name)).toBe(value);
  });
});

const PROBLEM = 'application/problem+json';

describe('a client that accepts the problems of RFC 9457', () => {
  it('gets their members, with the path without the query', async () => {
    const headers = { Accept: PROBLEM };
    const path = '/v1/thrown/0?key=secret';
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { message } = (await answer.clone().json()) as ErrorBody;
    expect(await answer.json()).toEqual({
      type: '/docs/errors#unknown_parameter',
      title: 'Unknown parameter',
      detail: message,
      instance: '/v1/thrown/0',
      code: 'unknown_parameter',
      message,
      status: 400,
      details: [expect.objectContaining({ field: 'query.key' })],
    });
  });

  it.each([
    [PROBLEM, PROBLEM],
    [`${PROBLEM}, application/json`, PROBLEM],
    [`application/json;q=0.5, ${PROBLEM}`, PROBLEM],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    [`application/json, ${PROBLEM};q=0.5`, 'application/json'],
    [`${PROBLEM};q=0, */*`, 'application/json'],
  ])('names them in its header: "%s" means %s', async (Accept, type) => {
    const { headers } = await answerTo(new NotFoundException(), { headers: { Accept } });
    expect(headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
  });

  it.each([
    ['/v1/pets/1', '/v1/pets/1'],
    ["/a-._~!$&'()*+,;=:@b/%C3%BC", "/a-._~!$&'()*+,;=:@b/%C3%BC"],
    ['/v1/pets/"<>\\^`{|}', '/v1/pets/%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ['*', '*'],
    ['/100%/%zz/%4', '/100%25/%25zz/%254'],
    ['/a[1]', '/a%5B1%5D'],
    ['//evil.example/v1/pets', '/.//evil.example/v1/pets'],
  ])('gets a URI reference as the instance (RFC 9457 section 3.1.5): %s is %s', async (path, reference) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${PROBLEM}\r\nConnection: close\r\n\r\n`;
    const [, body] = (await rawRequest(service.port, request)).split('\r\n\r\n');
    expect(JSON.parse(body!)).toMatchObject({ instance: reference });
    expect(new URL(reference, 'http://here.example/').host).toBe('here.example');
  });
});
