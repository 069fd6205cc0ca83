import { Logger } from '@nestjs/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { generateSecret } from '../../../../src/access/domain/key-secret.js';
import { PinoLog } from '../../../../src/platform/observability/logging/pino-log.js';
import { Recorder } from '../../../support/site/recorder.js';

let written: Recorder;
let log: Logger;

beforeEach(() => {
  written = new Recorder();
  Logger.overrideLogger(new PinoLog('info', written));
  log = new Logger('Visits');
});

const line = () => JSON.parse(written.text) as Record<string, unknown>;

const bytes = (count: number) => new Uint8Array(count).fill(7);
const key = generateSecret('live', { bytes });
const testKey = generateSecret('test', { bytes });
const SECRET = key.slice('psk_live_'.length);

class Login {
  readonly name = 'Eva';
  readonly password = 'sesame';
}

class Session {
  readonly login = new Login();
}

describe('an API key', () => {
  const long = 'x'.repeat(2_970);

  it.each<[string, () => void]>([
    ['in a text', () => log.log(`the key ${key} is bad`)],
    ['in a key for tests', () => log.log(`the key ${testKey} is bad`)],
    ['in a field', () => log.log('m', { authorisation: `Bearer ${key}` })],
    ['in the name of a field', () => log.log('m', { [key]: 1 })],
    ['in a list of raw headers', () => log.log('m', { raw: ['Authorization', `Bearer ${key}`] })],
    ['in an instance of a class', () => log.log('m', new Map([['key', key]]))],
    ['in a context', () => Logger.log('m', key)],
    ['in an error', () => log.error(new Error(key))],
    ['in the cause of an error', () => log.error(new Error('m', { cause: new Error(key) }))],
    ['in a stack that is a text', () => log.error('m', new Error(key).stack)],
    ['where a long text is cut', () => log.log(`${long}${key}${long}${long}`)],
    ['where the rest of a long text begins', () => log.log(`${long}${long}${key}${long}`)],
  ])('is not logged: %s', (_, say) => {
    say();
    expect(line()).toBeTypeOf('object');
    for (let i = 0; i + 8 <= SECRET.length; i += 8)
      expect(written.text).not.toContain(SECRET.slice(i, i + 8));
  });

  it('is replaced, and the text around it stays', () => {
    log.log(`the key ${key} is bad`);
    expect(line()['msg']).toBe('the key psk_live_[Redacted] is bad');
  });
});

describe('a member with the name of a secret', () => {
  it.each(['authorization', 'Authorization', 'cookie', 'set-cookie', 'password'])(
    'is not logged: %s',
    (name) => {
      log.log('m', { [name]: 'sesame', a: 1 });
      log.log('m', { request: { headers: { [name]: ['sesame'], a: 1 } } });
      log.log('m', { list: [{ [name]: { value: 'sesame' } }] });
      log.log([{ [name]: 'sesame' }]);
      expect(written.text).not.toContain('sesame');
      const [first, second] = written.text
        .split('\n')
        .map((text) => (text ? (JSON.parse(text) as object) : {}));
      expect(first).toMatchObject({ a: 1, [name]: '[Redacted]', msg: 'm' });
      expect(second).toMatchObject({ request: { headers: { a: 1, [name]: '[Redacted]' } } });
    },
  );

  it.each<[string, () => void]>([
    ['as a field', () => log.log('m', { login: new Login() })],
    ['as a text', () => log.log('m', new Login())],
    ['inside another instance', () => log.log('m', { session: new Session() })],
    ['inside another instance that is a text', () => log.log('m', new Session())],
  ])('is not logged if an instance of a class has it: %s', (_, say) => {
    say();
    expect(written.text).toContain('Eva');
    expect(written.text).not.toContain('sesame');
  });
});

describe('a password in a URL', () => {
  const url = 'mysql://petstore:sesame@db:3306/petstore';

  it.each<[string, () => void]>([
    ['in a text', () => log.log(`cannot open ${url}`)],
    [
      'with special characters',
      () => log.log('cannot open mysql://petstore:sesame@sesame:se%20same@db:3306/'),
    ],
    ['without a user', () => log.log('cannot open redis://:sesame@db:6379')],
    ['in a field', () => log.log('m', { url, at: new URL(url) })],
    ['as a URL', () => log.log('m', new URL(url))],
    ['in an error', () => log.error(new Error(`cannot open ${url}`))],
  ])('is not logged: %s', (_, say) => {
    say();
    expect(written.text).toContain('@db:');
    expect(written.text).not.toContain('sesame');
  });

  it('is replaced, and the rest of the URL stays', () => {
    log.log(`cannot open ${url}`);
    expect(line()['msg']).toBe('cannot open mysql://petstore:[Redacted]@db:3306/petstore');
  });

  it.each([
    'http://127.0.0.1:3000/a@b',
    'file:///srv/node_modules/@nestjs/core:1:2',
    'psk_live_ and psk_test_...',
  ])('is not presumed in %s', (text) => {
    log.log(text);
    expect(line()['msg']).toBe(text);
  });

  it('is looked for in linear time', () => {
    const texts = ['://a:'.repeat(20_000), `://${':'.repeat(100_000)}`, 'psk_'.repeat(25_000)];
    for (const text of texts) log.log(text);
    expect(written.text.split('\n')).toHaveLength(texts.length + 1);
  });
});
