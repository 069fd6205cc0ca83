import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, moveTo, released, type Row } from './edited-document.js';

const ROWS: readonly Row[] = [
  [
    'an operation is added',
    { 'paths /pets put': { operationId: 'replacePets', responses: { '204': { description: 'Done.' } } } },
    ['replacePets: added'],
  ],
  [
    'an optional parameter is added',
    { 'listPets parameters 5': { name: 'sort', in: 'query', schema: { type: 'string' } } },
    ['listPets: query parameter sort added'],
  ],
  [
    'a parameter is no longer required',
    { 'listPets parameters 2 required': false },
    ['listPets: query parameter status optional'],
    { 'listPets parameters 2 required': true },
  ],
  [
    'the maximum of a parameter is raised',
    { 'limit schema maximum': 200 },
    [
      'listPets.limit in requests: maximum from 100 to 200',
      'listOrders.limit in requests: maximum from 100 to 200',
    ],
  ],
  [
    'the bound of a parameter goes',
    { 'limit schema maximum': GONE },
    [
      'listPets.limit in requests: maximum from 100 to none',
      'listOrders.limit in requests: maximum from 100 to none',
    ],
  ],
  [
    'a value of a parameter is added',
    { 'listPets parameters 2 schema': { type: 'string', enum: ['available', 'pending', 'sold', 'lost'] } },
    ['listPets.status in requests: enum from available, pending, sold to available, pending, sold, lost'],
  ],
  [
    'a request field is added',
    { 'NewPet properties colour': { type: 'string' } },
    ['NewPet in requests: optional field colour added'],
  ],
  [
    'a request field is no longer required',
    { 'NewPet required 1': GONE },
    ['NewPet in requests: field categoryId optional'],
  ],
  [
    'a request field may be longer',
    { 'NewPet properties name maxLength': 300 },
    ['NewPet.name in requests: maxLength from 255 to 300'],
  ],
  [
    'a request field may be null',
    { 'NewPet properties name type': ['string', 'null'] },
    ['NewPet.name in requests: type from string to string, null'],
  ],
  [
    'a media type of a request is added',
    { 'createPet requestBody content text/csv': { schema: { type: 'string' } } },
    ['createPet: body as text/csv added'],
  ],
  [
    'a field of an answer is added',
    { 'Pet properties colour': { type: 'string' } },
    ['Pet in answers: optional field colour added'],
  ],
  [
    'a field of an answer is added, and is always there',
    { 'Pet properties colour': { type: 'string' }, 'Pet required 4': 'colour' },
    ['Pet in answers: required field colour added'],
  ],
  [
    'a field of an answer gets a bound',
    { 'Pet properties name maxLength': 255 },
    ['Pet.name in answers: maxLength from none to 255'],
  ],
  [
    'an answer has a further header',
    { 'listPets responses 200 headers Age': { schema: { type: 'string' } } },
    ['listPets: header Age added on 200'],
  ],
  [
    'an answer has a further header, on all of them',
    { 'listPets responses 200 headers Age': { required: true, schema: { type: 'string' } } },
    ['listPets: required header Age added on 200'],
  ],
  [
    'an answer has a further media type',
    { 'listPets responses 200 content text/csv': { schema: { type: 'string' } } },
    ['listPets: answer as text/csv added on 200'],
  ],
  [
    'an error is added',
    { 'listPets responses 405': { $ref: '#/components/responses/Forbidden' } },
    ['listPets: status 405 added'],
  ],
  [
    'a code is added to an error',
    {
      'updateOrder responses 409 content application/json examples frozen': {
        $ref: '#/components/examples/invalid_json',
      },
    },
    ['updateOrder: error frozen added on 409'],
  ],
  [
    'texts and examples are changed',
    {
      'listPets description': 'Other words.',
      'Pet properties name description': 'Other words.',
      'Pet properties name example': 'Felix',
    },
    [],
  ],
  [
    'an operation is deprecated',
    { 'listPets deprecated': true, 'listPets x-deprecated-sunset': '2031-01-01' },
    ['listPets: sunset from never to 2031-01-01'],
  ],
  [
    'the end of an operation comes later',
    { 'getPet x-deprecated-sunset': '2032-01-01' },
    ['getPet: sunset from 2030-12-05 to 2032-01-01'],
  ],
  [
    'an experimental operation becomes stable',
    { 'createOrder x-stability': GONE },
    ['createOrder: stability from experimental to stable'],
  ],
  ['no scope is needed any more', { 'listPets x-scope': GONE }, ['listPets: scope from pets:read to none']],
  ['no key is needed any more', { 'listPets security': [] }, ['listPets: access without a key added']],
  [
    'a shared part is written out',
    {
      'listPets parameters 0': {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { minimum: 1, maximum: 100, format: 'int32', default: 20, type: 'integer' },
      },
    },
    [],
  ],
  [
    'a schema gets another name',
    {
      PetStatus: moveTo('components schemas Status'),
      'Pet properties status allOf 0 $ref': '#/components/schemas/Status',
      'NewPet properties status allOf 0 $ref': '#/components/schemas/Status',
      'listPets parameters 2 schema $ref': '#/components/schemas/Status',
    },
    [],
  ],
  ['the servers are others', { servers: [{ url: 'https://petstore.example/v1' }] }, []],
];

describe('Clients go on if', () => {
  it.each(ROWS)('%s', (_, edits, told, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    expect(changes.map(({ what, breaks }) => [what, breaks])).toEqual(told.map((what) => [what, false]));
  });
});
