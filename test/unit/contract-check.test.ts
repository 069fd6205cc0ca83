import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ContractCheck } from '../support/http/contract-check.js';

const contract = ContractCheck.of(readFileSync('docs/openapi.json', 'utf8'));
const PET = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };

type Change = Readonly<
  Partial<{ target: string; status: number; type: string; without: string; body: unknown; text: string }>
>;

/** Checks the response to `POST /v1/pets`, with the given changes, against the document. */
function check({ target = '/v1/pets', status = 201, type = 'application/json', without, ...change }: Change) {
  const described = ['Cache-Control', 'Location', 'Vary', 'X-Request-Id'];
  const headers = new Headers(Object.fromEntries(described.map((name) => [name, 'x'])));
  headers.set('Content-Type', type);
  if (without) headers.delete(without);
  const text = change.text ?? JSON.stringify(change.body ?? PET);
  contract.check({ method: 'POST', target, status, headers, text });
}

it('A response that the OpenAPI document describes passes', () => {
  expect(() => check({})).not.toThrow(/404 says another status/);
});

it.each<[string, Change, RegExp]>([
  ['has a status that is not described', { status: 202 }, /202 is not described for post \/pets/],
  [
    'lacks a header that is required',
    { without: 'X-Request-Id' },
    /201 has no header X-Request-Id, .* npm run document/,
  ],
  ['has a body of another type', { type: 'text/html' }, /201 has a body of text\/html, .* npm run document/],
  [
    'has a body with a field of another type',
    { body: { ...PET, id: '1' } },
    /does not fit .*: change the class of the body .* npm run document/,
  ],
  ['lacks a field', { body: { id: 1, name: 'Rex', categoryId: 7 } }, /does not fit/],
  [
    'has a code that is not described',
    { status: 400, body: { code: 'too_soon', message: 'Wait.', status: 400 } },
    /400 too_soon is not described for post \/pets, only .*: name it in `errors` of the operation/,
  ],
  [
    'is an error for an operation that works',
    { target: '/v1/nowhere' },
    /POST \/v1\/nowhere: 201, but the OpenAPI document .* npm run document/,
  ],
])('A response fails its test when it %s', (_, change, message) => {
  expect(() => check(change)).toThrow(message);
});

it('An error fails its test when the status in its body differs from the status of the response', () => {
  const error = { code: 'not_found', message: 'There is nothing here.', status: 405 };
  const answer = { method: 'GET', target: '/v1/nowhere', status: 404, headers: new Headers() };
  expect(() => contract.check({ ...answer, text: JSON.stringify(error) })).toThrow(/404 says another status/);
});
