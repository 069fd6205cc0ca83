import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, released, type Row } from './edited-document.js';

const ROWS: readonly Row[] = [
  [
    'a required parameter is added',
    { 'listPets parameters 5': { name: 'shop', in: 'query', required: true, schema: { type: 'string' } } },
    ['listPets: required query parameter shop added'],
  ],
  [
    'an optional parameter is removed',
    { 'listPets parameters 2': GONE },
    ['listPets: query parameter status removed'],
  ],
  [
    'a parameter becomes required',
    { 'listPets parameters 2 required': true },
    ['listPets: query parameter status required'],
  ],
  [
    'a parameter moves from header to query',
    { 'updateOrder parameters 1 in': 'query' },
    ['updateOrder: header parameter If-Match removed'],
  ],
  [
    'the maximum of a parameter is lowered',
    { 'limit schema maximum': 50 },
    [
      'listPets.limit in requests: maximum from 100 to 50',
      'listOrders.limit in requests: maximum from 100 to 50',
    ],
  ],
  [
    'the minimum of a parameter is raised',
    { 'limit schema minimum': 2 },
    ['listPets.limit in requests: minimum from 1 to 2', 'listOrders.limit in requests: minimum from 1 to 2'],
  ],
  [
    'the type of a parameter is changed',
    { 'cursor schema type': 'integer' },
    [
      'listPets.cursor in requests: type from string to integer',
      'listOrders.cursor in requests: type from string to integer',
    ],
  ],
  [
    'a format is given to a parameter',
    { 'cursor schema format': 'uuid' },
    [
      'listPets.cursor in requests: format from none to uuid',
      'listOrders.cursor in requests: format from none to uuid',
    ],
  ],
  [
    'the default of a parameter is changed',
    { 'limit schema default': 10 },
    [
      'listPets.limit in requests: default from 20 to 10',
      'listOrders.limit in requests: default from 20 to 10',
    ],
  ],
  [
    'the pattern of a parameter is tightened',
    { 'Idempotency-Key schema pattern': '^[a-z]+$' },
    [
      'createPet.Idempotency-Key in requests: pattern changed',
      'createOrder.Idempotency-Key in requests: pattern changed',
    ],
  ],
  [
    'a parameter gets a pattern',
    { 'cursor schema pattern': '^[a-z]+$' },
    ['listPets.cursor in requests: pattern added', 'listOrders.cursor in requests: pattern added'],
  ],
  [
    'a parameter may be of fewer values',
    { 'listPets parameters 2 schema': { type: 'string', enum: ['available'] } },
    ['listPets.status in requests: enum from available, pending, sold to available'],
  ],
  [
    'a request field is added as required',
    { 'NewPet properties colour': { type: 'string' }, 'NewPet required 2': 'colour' },
    ['NewPet in requests: required field colour added'],
  ],
  [
    'a request field becomes required',
    { 'NewPet required 2': 'status' },
    ['NewPet in requests: field status required'],
  ],
  [
    'a request field is removed',
    { 'NewPet properties status': GONE },
    ['NewPet in requests: field status removed'],
  ],
  [
    'the type of a request field is changed',
    { 'NewPet properties name type': 'integer' },
    ['NewPet.name in requests: type from string to integer'],
  ],
  [
    'the maximal length of a request field is lowered',
    { 'NewPet properties name maxLength': 100 },
    ['NewPet.name in requests: maxLength from 255 to 100'],
  ],
  [
    'the minimal length of a request field is raised',
    { 'NewPet properties name minLength': 2 },
    ['NewPet.name in requests: minLength from 1 to 2'],
  ],
  [
    'a request field gets a maximum',
    { 'NewPet properties categoryId maximum': 9 },
    ['NewPet.categoryId in requests: maximum from none to 9'],
  ],
  [
    'the pattern of a request field is tightened',
    { 'NewPet properties name pattern': '^[a-z]*$' },
    ['NewPet.name in requests: pattern changed'],
  ],
  [
    'a value of an enumeration in a request is removed',
    { 'NewPet properties status': { type: 'string', enum: ['available', 'pending'] } },
    ['NewPet.status in requests: enum from available, pending, sold to available, pending'],
  ],
  [
    'additional properties of a request are refused',
    { 'NewPet additionalProperties': false },
    ['NewPet in requests: unknown fields refused'],
    { 'NewPet additionalProperties': GONE },
  ],
  [
    'a request body becomes required',
    { 'createPet requestBody required': true },
    ['createPet: body required'],
    { 'createPet requestBody required': false },
  ],
  [
    'a request body is added',
    {
      'getPet requestBody': {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
    ['getPet: required body added'],
  ],
  ['a request body is removed', { 'createPet requestBody': GONE }, ['createPet: body removed']],
  [
    'a media type of a request is removed',
    { 'updateOrder requestBody content application/merge-patch+json': GONE },
    ['updateOrder: body as application/merge-patch+json removed'],
  ],
  [
    'null is refused in a request',
    { 'NewPet properties status': { type: 'string' } },
    ['NewPet.status in requests: type from string, null to string'],
    { 'NewPet properties status': { type: ['string', 'null'] } },
  ],
  [
    'items of a list in a request are shorter',
    { 'NewPet properties names items maxLength': 5 },
    ['NewPet.names[] in requests: maxLength from 9 to 5'],
    { 'NewPet properties names': { type: 'array', items: { type: 'string', maxLength: 9 } } },
  ],
];

describe('Clients break if', () => {
  it.each(ROWS)('%s', (_, edits, breaks, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    expect(changes.filter((change) => change.breaks).map(({ what }) => what)).toEqual(breaks);
  });
});
