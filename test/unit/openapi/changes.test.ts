import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, moveTo, released, type Row } from './edited-document.js';

const BREAKS: readonly Row[] = [
  ['an operation is removed', { 'paths /pets/{petId}': GONE }, ['getPet: removed']],
  [
    'another scope is needed',
    { 'listPets x-scope': 'pets:write' },
    ['listPets: scope from pets:read to pets:write'],
  ],
  [
    'a key is needed',
    { 'listPets security': GONE },
    ['listPets: access without a key removed'],
    { 'listPets security': [] },
  ],
  [
    'the key is sent in another way',
    { 'components securitySchemes apiKey': { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    Object.values(released.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => `${operationId}: key as http bearer removed`),
    ),
  ],
  [
    'an operation becomes experimental',
    { 'listPets x-stability': 'experimental' },
    ['listPets: stability from stable to experimental'],
  ],
  [
    'the end of an operation comes earlier',
    { 'getPet x-deprecated-sunset': '2027-01-01' },
    ['getPet: sunset from 2030-12-05 to 2027-01-01'],
  ],
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
    'the maximum of a parameter is lowered',
    { 'limit schema maximum': 50 },
    [
      'listPets.limit in requests: maximum from 100 to 50',
      'listOrders.limit in requests: maximum from 100 to 50',
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
    'a parameter gets a pattern',
    { 'cursor schema pattern': '^[a-z]+$' },
    ['listPets.cursor in requests: pattern added', 'listOrders.cursor in requests: pattern added'],
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
    'a request body is added',
    {
      'getPet requestBody': {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
    ['getPet: required body added'],
  ],
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
  [
    'a value is added to an enumeration in an answer',
    { 'OrderStatus enum 4': 'lost' },
    [
      'OrderStatus in answers: enum from placed, approved, delivered, cancelled to placed, approved, delivered, cancelled, lost',
    ],
  ],
  [
    'a field of an answer is removed',
    { 'Pet properties name': GONE, 'Pet required 1': GONE },
    ['Pet in answers: field name removed'],
  ],
  [
    'an integer of an answer becomes a number',
    { 'Pet properties categoryId type': 'number' },
    ['Pet.categoryId in answers: type from integer to number, integer'],
  ],
  [
    'a field of an answer is no longer required',
    { 'Pet required 1': GONE },
    ['Pet in answers: field name optional'],
  ],
  [
    'the bound of a field of an answer is raised',
    { 'Pet properties id maximum': 9007199254741000 },
    ['Pet.id in answers: maximum from 9007199254740991 to 9007199254741000'],
  ],
  [
    'a list becomes an object',
    {
      Pets: {
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
      },
    },
    ['Pets in answers: type from array to object', 'Pets in answers: maxItems from 100 to none'],
  ],
  [
    'the success status is changed',
    { 'createPet responses 201': moveTo('createPet responses 200') },
    ['createPet: status 201 removed', 'createPet: status 200 added'],
  ],
  [
    'a header of an answer is removed',
    { 'createPet responses 201 headers Location': GONE },
    ['createPet: header Location removed on 201'],
  ],
  [
    'a header of an answer is no longer on all',
    { 'components headers ETag required': false },
    [
      'listPets: header ETag optional on 200, 304',
      'getPet: header ETag optional on 200, 304',
      'listOrders: header ETag optional on 200, 304',
    ],
  ],
  [
    'a code of an error is removed',
    { 'updateOrder responses 409 content application/json examples invalid_transition': GONE },
    ['updateOrder: error invalid_transition removed on 409'],
  ],
  [
    'a component in an answer may be null',
    { 'Pet properties status': { anyOf: [{ $ref: '#/components/schemas/PetStatus' }, { type: 'null' }] } },
    ['Pet.status in answers: type from string to string, null'],
  ],
  [
    'one type of several in an answer is changed',
    { 'Problem allOf 0 $ref': '#/components/schemas/ErrorDetail' },
    ['Problem in answers: field status removed', 'Problem in answers: field details removed'],
  ],
  [
    'a field is removed from a component that refers to itself',
    { 'components schemas Node properties label': GONE },
    ['Node in answers: field label removed'],
    {
      'components schemas Node': {
        type: 'object',
        properties: {
          label: { type: 'string' },
          next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
        },
      },
      'Pet properties node': { $ref: '#/components/schemas/Node' },
    },
  ],
  [
    'values of a map in an answer are of another type',
    { 'Pet properties tags': { type: 'object', additionalProperties: { type: 'integer' } } },
    ['Pet.tags.* in answers: type from string to integer'],
    { 'Pet properties tags': { type: 'object', additionalProperties: { type: 'string' } } },
  ],
  [
    'a choice in an answer is changed',
    { 'Pet properties name anyOf 1 type': 'boolean' },
    ['Pet.name in answers: type from integer to boolean'],
    { 'Pet properties name': { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  ],
];

const HARMLESS: readonly Row[] = [
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
    'a field of an answer is added',
    { 'Pet properties colour': { type: 'string' } },
    ['Pet in answers: optional field colour added'],
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
    'a schema gets another name',
    {
      PetStatus: moveTo('components schemas Status'),
      'Pet properties status allOf 0 $ref': '#/components/schemas/Status',
      'NewPet properties status allOf 0 $ref': '#/components/schemas/Status',
      'listPets parameters 2 schema $ref': '#/components/schemas/Status',
    },
    [],
  ],
];

describe.each([
  ['Clients break if', BREAKS, true],
  ['Clients go on if', HARMLESS, false],
] as const)('%s', (_, rows, breaks) => {
  it.each(rows)('%s', (_, edits, told, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    const seen = breaks ? changes.filter((change) => change.breaks) : changes;
    expect(seen.map((change) => [change.what, change.breaks])).toEqual(told.map((what) => [what, breaks]));
  });
});
