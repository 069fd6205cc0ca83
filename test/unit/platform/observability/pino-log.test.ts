import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { loggable } from '../../../../src/platform/observability/logging/log-entry.js';
import { PinoLog } from '../../../../src/platform/observability/logging/pino-log.js';
import { Recorder } from '../../../support/site/recorder.js';

let written: Recorder;
let log: Logger;

beforeEach(() => {
  written = new Recorder();
  Logger.overrideLogger(new PinoLog('info', written));
  log = new Logger('Visits');
});

/** The log lines, without the fields that every line has. */
const lines = () =>
  written.text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { time: _time, level: _level, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return rest;
    });

class OutOfRoom extends Error {}
const broken = new OutOfRoom('no room');
const err = { type: 'OutOfRoom', message: 'no room', stack: broken.stack };
const context = 'Visits';

describe("a message of Nest's logger", () => {
  it.each<[string, () => void, object]>([
    ['a text', () => log.log('m'), { context, msg: 'm' }],
    ['a text with fields', () => log.log('m', { a: 1 }), { context, a: 1, msg: 'm' }],
    ['fields alone', () => log.log({ a: 1 }), { context, a: 1 }],
    ['several texts', () => log.log('one', 'two', 3), { context, msg: 'one two 3' }],
    ['a list', () => log.log([1, { a: 2 }]), { context, msg: '[ 1, { a: 2 } ]' }],
    [
      'an instance of a class',
      () => log.log('m', new Map([['a', 1]])),
      { context, msg: "m Map(1) { 'a' => 1 }" },
    ],
    ['nothing', () => log.log(undefined), { context, msg: 'undefined' }],
    ['a text without a context', () => Logger.log('m'), { msg: 'm' }],
    ['fields without a context', () => Logger.log('m', { a: 1 }), { a: 1, msg: 'm' }],
    [
      'texts whose last is the context',
      () => Logger.log('one', 'two', 'three'),
      { context: 'three', msg: 'one two' },
    ],
  ])('appears in the line: %s', (_, say, line) => {
    say();
    expect(lines()).toEqual([line]);
  });
});

it('a message below the log level is not formatted', () => {
  const asked: string[] = [];
  class Large {
    [inspect.custom] = () => void asked.push('words');
  }
  log.debug('m', new Large());
  expect([asked, lines()]).toEqual([[], []]);
});

describe('an error that is logged', () => {
  const asTold = { context, err: { ...err, type: 'Error' }, msg: 'm' };

  it.each<[string, () => void, object]>([
    ['alone', () => log.error(broken), { context, err, msg: 'no room' }],
    ['with fields', () => log.error(broken, { a: 1 }), { context, a: 1, err, msg: 'no room' }],
    ['beside a text', () => log.error('m', broken), { context, err, msg: 'm' }],
    ['as a field', () => log.error('m', { error: broken }), { context, error: err, msg: 'm' }],
    ['with its stack', () => log.error(broken, broken.stack), { context, err, msg: 'no room' }],
    ['without a context', () => Logger.error('m', broken), { err, msg: 'm' }],
    ['as the text of its stack', () => log.error('m', broken.stack), asTold],
    ['so with fields', () => log.fatal('m', broken.stack, { a: 1 }), { ...asTold, a: 1 }],
    ['so without a context', () => Logger.error('m', broken.stack), { err: asTold.err, msg: 'm' }],
    ['so before its context', () => Logger.error('m', broken.stack, 'Visits'), asTold],
    ['so behind its context', () => Logger.error('m', 'Visits', broken.stack), asTold],
  ])('has its type, its message and its stack, as far as they are known: %s', (_, say, line) => {
    say();
    expect(lines()).toEqual([line]);
  });

  it.each([
    [new TypeError('a: b\nc'), 'TypeError', 'a: b\nc'],
    [new Error(), 'Error', ''],
    [
      Object.assign(new Error('no file'), { stack: 'Error [ENOENT]: no file\n    at a.js:1:1' }),
      'Error',
      'no file',
    ],
    [Object.assign(new Error('x'), { stack: 'what?\n    at a.js:1:1' }), 'Error', 'what?'],
  ])('is read from its stack: %s', ({ stack }, type, message) => {
    log.error('m', stack);
    expect(lines()).toEqual([{ context, err: { type, message, stack }, msg: 'm' }]);
  });
});

/** An error like the errors of axios, undici and drivers of databases. */
class RequestFailed extends Error {
  readonly code = 'ERR_BAD_REQUEST';
  readonly config = { headers: { Authorization: 'Bearer sesame' }, auth: { password: 'sesame' } };
  readonly response = { data: 'sesame' };
  readonly toJSON = () => ({ ...this, message: this.message });
}

/** The error that Node throws if the event `error` has no listener. */
function unheard(value: unknown): unknown {
  try {
    return new EventEmitter().emit('error', value);
  } catch (error) {
    return error;
  }
}

describe('an error that carries a secret', () => {
  const failed = () => new RequestFailed('refused', { cause: new RequestFailed('at the bottom') });

  it.each<[string, () => void]>([
    ['alone', () => log.error(failed())],
    ['second', () => log.error('m', broken, failed())],
    ['as a field', () => log.error('m', { error: failed(), reason: failed() })],
    ['deep in a field', () => log.error('m', { results: [{ status: 'rejected', reason: failed() }] })],
    ['in a list', () => log.error([failed()])],
    ['among several', () => log.error(new AggregateError([failed()], 'all of them'))],
    ['on an object that is not an error', () => log.error(loggable({ ...failed(), message: 'refused' }))],
    ['on a function', () => log.error(loggable(Object.assign(() => 1, failed())))],
    ['as an event without a listener', () => log.error(loggable(unheard({ password: 'sesame' })))],
  ])('does not reveal it: %s', (_, say) => {
    say();
    expect(lines()).toHaveLength(1);
    expect(written.text).not.toContain('sesame');
  });

  it.each([
    ['a text', 'a text'],
    [{ message: 'a message' }, 'Object: a message'],
    [undefined, 'undefined'],
  ])('is logged as the emitted value if Node turns that value into a message: %j', (value, msg) => {
    log.error(loggable(unheard(value)));
    expect(lines()).toEqual([{ context, msg }]);
  });

  it('is logged with name, message, stack and code, also of its cause', () => {
    const error = failed();
    log.error(error);
    const known = { type: 'RequestFailed', code: 'ERR_BAD_REQUEST' };
    const { stack } = error.cause as Error;
    expect(lines()[0]!['err']).toEqual({
      ...known,
      message: 'refused',
      stack: error.stack,
      cause: { ...known, message: 'at the bottom', stack },
    });
  });
});

describe('a line', () => {
  const LARGE = '\u0000'.repeat(1_000_000);
  let chain = new Error(LARGE);
  for (let i = 0; i < 20; i++) chain = new Error(LARGE, { cause: chain });

  it.each<[string, () => void]>([
    ['of a large text', () => log.error(`m ${LARGE}`)],
    ['of many texts', () => log.error('m', ...Array.from({ length: 1_000 }, () => LARGE))],
    ['of large fields', () => log.error('m', Object.fromEntries([...'abcdefghij'].map((f) => [f, LARGE])))],
    ['of a large error with causes', () => log.error('m', chain)],
    ['with a stack as a text', () => log.error('m', `${LARGE}\n    at a.js:1:1`)],
  ])('is at most 64 KB, and contains its origin: %s', (_, say) => {
    say();
    expect(Buffer.byteLength(written.text)).toBeLessThanOrEqual(64 * 1024);
    expect(lines()).toMatchObject([{ context, msg: expect.stringMatching(/^m/) as string }]);
  });
});

it('messages of Nest about the assembly of the application are logged once, and only from the level warn on', () => {
  const router = new Logger('RouterExplorer');
  router.log('Mapped {/v1/visits, GET} route');
  router.warn('warning');
  router.error('failure');
  // Nest also throws this error.
  new Logger('NestApplication').error('Error: listen EADDRINUSE');
  expect(lines().map(({ msg }) => msg)).toEqual(['warning', 'failure']);
});

it('escape sequences in a text are escaped on a terminal, too', () => {
  Logger.overrideLogger(new PinoLog('info', Object.assign(written, { isTTY: true })));
  log.error('a\u001b[2Jb', { file: 'c\u001b[2Jd' }, new Error('e\u202ef'));
  for (const text of [String.raw`a\u001b[2Jb`, String.raw`c\u001b[2Jd`, String.raw`e\u202ef`])
    expect(written.text).toContain(text);
  expect(written.text).not.toContain('\u001b[2J');
});
