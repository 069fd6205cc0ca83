import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import { MAX_RECEIVER_URL, NewReceiver } from '../../../src/webhooks/domain/new-receiver.js';
import { aNewReceiver } from '../../support/receiver-builder.js';

describe('a receiver that a client wants to add', () => {
  it('is stored unchanged', () => {
    const input = aNewReceiver();
    expect(NewReceiver.from(input).props).toEqual(input);
  });

  it.each([
    ['url', { url: '' }, 'blank'],
    ['url', { url: 'x'.repeat(MAX_RECEIVER_URL + 1) }, 'too_long'],
    ['url', { url: 'receiver.example' }, 'invalid_format'],
    ['url', { url: 'http://receiver.example/' }, 'invalid_format'],
    ['url', { url: 'ftp://receiver.example/' }, 'invalid_format'],
    ['url', { url: 'https://user@receiver.example/' }, 'invalid_format'],
    ['url', { url: 'https://:secret@receiver.example/' }, 'invalid_format'],
  ])('is rejected with %s %s, and the error names the field', (field, bad, code) => {
    expect(NewReceiver.validate(bad)).toMatchObject([{ field, code }]);
    expect(() => NewReceiver.from(aNewReceiver(bad))).toThrow(InvalidInput);
  });

  it('is accepted at its bounds', () => {
    const url = 'https://receiver.example/'.padEnd(MAX_RECEIVER_URL, 'x');
    expect(NewReceiver.validate({ url })).toEqual([]);
  });

  it('may lack TLS, but may not have a user, where addresses that are not public are allowed', () => {
    expect(NewReceiver.validate({ url: 'http://127.0.0.1/' }, true)).toEqual([]);
    expect(NewReceiver.validate({ url: 'http://user@127.0.0.1/' }, true)).toMatchObject([{ field: 'url' }]);
  });

  it('has no problem in absent fields', () => {
    expect(NewReceiver.validate({})).toEqual([]);
  });
});
