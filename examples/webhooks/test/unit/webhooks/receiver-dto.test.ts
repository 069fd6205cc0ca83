import { describe, expect, it } from 'vitest';
import {
  toAddedReceiverBody,
  toReceiverBody,
  NewReceiverBody,
} from '../../../src/webhooks/adapters/http/receiver.dto.js';
import { writeJson } from '../../../src/platform/json/index.js';
import { aReceiver, aReceiverBody, aNewReceiver, receiverBodyOf } from '../../support/receiver-builder.js';
import { judged } from '../../support/http/judged.js';

const problemsOf = async (shape: new () => object, data: object) =>
  (await judged(shape, data)).problems.map(({ path, code }) => `${path[0]} ${code}`);

describe('a receiver in a response', () => {
  const added = aReceiver({ id: 7n, url: 'https://receiver.example/', secret: 'whsec_AAEC' });

  it('has each property except the secret', () => {
    expect(JSON.parse(writeJson(toReceiverBody(added)))).toEqual({ id: 7, url: 'https://receiver.example/' });
  });

  it('has the secret when it is added', () => {
    const body = { id: 7, url: 'https://receiver.example/', secret: 'whsec_AAEC' };
    expect(JSON.parse(writeJson(toAddedReceiverBody(added)))).toEqual(body);
  });
});

describe('the body that adds a receiver', () => {
  it('becomes input with each property', async () => {
    const input = aNewReceiver();
    expect((await judged(NewReceiverBody, receiverBodyOf(input))).dto).toEqual(input);
  });

  it.each<[string, object, string[]]>([
    ['lacks url', { url: undefined }, ['url required']],
    ['has null for url', { url: null }, ['url invalid_type']],
    ['has a wrong url', { url: 7 }, ['url invalid_type']],
    ['brings an id', { id: 7 }, ['id read_only_field']],
    ['brings a secret', { secret: 'Secret one' }, ['secret read_only_field']],
    ['has a field we do not know', { colour: 'red' }, ['colour unknown_field']],
  ])('is rejected when it %s', async (_, more, problems) =>
    expect(await problemsOf(NewReceiverBody, aReceiverBody(more))).toEqual(problems),
  );
});
