import { Logger } from '@nestjs/common';
import { beforeEach, expect, it } from 'vitest';
import { PinoLog } from '../../../../src/platform/observability/logging/pino-log.js';
import { Recorder } from '../../../support/site/recorder.js';

let written: Recorder;
let log: Logger;

beforeEach(() => {
  written = new Recorder();
  Logger.overrideLogger(new PinoLog('info', written));
  log = new Logger('Visits');
});

/** The names of the members of the written line, including duplicates. */
const names = () => [...written.text.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name);

it('a field with a name that the log uses itself gets a prefix, so that no name appears twice', () => {
  const own = { level: 1, time: 2, context: 'c', msg: 'm', err: 'e', shortened: true };
  log.error('It failed', new Error('no room'), { ...own, other: 3 });
  expect(new Set(names()).size).toBe(names().length);
  expect(JSON.parse(written.text)).toMatchObject({
    level: 50,
    context: 'Visits',
    msg: 'It failed',
    err: { type: 'Error', message: 'no room' },
    field_level: 1,
    field_time: 2,
    field_context: 'c',
    field_msg: 'm',
    field_err: 'e',
    field_shortened: true,
    other: 3,
  });
});

it.each(['level', 'time', 'context', 'msg', 'err', 'shortened'])(
  'the prefix does not depend on what else the line has: %s',
  (name) => {
    Logger.log({ [name]: 'theirs' });
    const { level, time, ...rest } = JSON.parse(written.text) as Record<string, unknown>;
    expect([level, typeof time, rest]).toEqual([30, 'number', { [`field_${name}`]: 'theirs' }]);
  },
);

it('an error in a field `err` is the error of the line, as in pino', () => {
  const error = new Error('no room');
  log.error('It failed', { err: error });
  const err = { type: 'Error', message: 'no room', stack: error.stack };
  expect(JSON.parse(written.text)).toMatchObject({ msg: 'It failed', err });
  expect(names()).not.toContain('field_err');
});
