import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, moveTo, released, type Row } from './edited-document.js';

const BREAKS: readonly Row[] = [
  ['getPet: removed', { 'paths /pets/{petId}': GONE }],
  ['listPets: scope from pets:read to pets:write', { 'listPets x-scope': 'pets:write' }],
  ['listPets: access without a key removed', { 'listPets security': GONE }, { 'listPets security': [] }],
  [
    Object.values(released.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => `${operationId}: key as http bearer removed`),
    ),
    { 'components securitySchemes apiKey': { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
  ],
  ['listPets: stability from stable to experimental', { 'listPets x-stability': 'experimental' }],
  ['getPet: sunset from 2030-12-05 to 2027-01-01', { 'getPet x-deprecated-sunset': '2027-01-01' }],
  [
    'listPets: required query parameter shop added',
    { 'listPets parameters 5': { name: 'shop', in: 'query', required: true, schema: { type: 'string' } } },
  ],
  ['listPets: query parameter status removed', { 'listPets parameters 2': GONE }],
  [
    [
      'listPets.limit in requests: maximum from 100 to 50',
      'listOrders.limit in requests: maximum from 100 to 50',
    ],
    { 'limit schema maximum': 50 },
  ],
  ['listPets: query parameter status required', { 'listPets parameters 2 required': true }],
  [
    'NewPet in requests: required field colour added',
    { 'NewPet properties colour': { type: 'string' }, 'NewPet required 2': 'colour' },
  ],
  ['NewPet.name in requests: type from string to integer', { 'NewPet properties name type': 'integer' }],
  [
    'NewPet.status in requests: enum from available, pending, sold to available, pending',
    { 'NewPet properties status': { type: 'string', enum: ['available', 'pending'] } },
  ],
  [
    'NewPet in requests: unknown fields refused',
    { 'NewPet additionalProperties': false },
    { 'NewPet additionalProperties': GONE },
  ],
  [
    'getPet: required body added',
    {
      'getPet requestBody': {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
  ],
  [
    'updateOrder: body as application/merge-patch+json removed',
    { 'updateOrder requestBody content application/merge-patch+json': GONE },
  ],
  ['Pet in answers: field name optional', { 'Pet required 1': GONE }],
  [
    ['Pets in answers: type from array to object', 'Pets in answers: maxItems from 100 to none'],
    {
      Pets: {
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
      },
    },
  ],
  ['NewPet.name in requests: minLength from 1 to 2', { 'NewPet properties name minLength': 2 }],
  ['NewPet.name in requests: pattern changed', { 'NewPet properties name pattern': '^[a-z]*$' }],
  [
    'Pet.categoryId in answers: type from integer to number, integer',
    { 'Pet properties categoryId type': 'number' },
  ],
  [
    ['createPet: status 201 removed', 'createPet: status 200 added'],
    { 'createPet responses 201': moveTo('createPet responses 200') },
  ],
  [
    'Pet.tags.* in answers: type from string to integer',
    { 'Pet properties tags': { type: 'object', additionalProperties: { type: 'integer' } } },
    { 'Pet properties tags': { type: 'object', additionalProperties: { type: 'string' } } },
  ],
  [
    'updateOrder: error invalid_transition removed on 409',
    { 'updateOrder responses 409 content application/json examples invalid_transition': GONE },
  ],
  [
    'Pet.status in answers: type from string to string, null',
    { 'Pet properties status': { anyOf: [{ $ref: '#/components/schemas/PetStatus' }, { type: 'null' }] } },
  ],
  [
    'Node in answers: field label removed',
    { 'components schemas Node properties label': GONE },
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
    'Pet.name in answers: type from integer to boolean',
    { 'Pet properties name anyOf 1 type': 'boolean' },
    { 'Pet properties name': { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  ],
];

const HARMLESS: readonly Row[] = [
  [
    'replacePets: added',
    { 'paths /pets put': { operationId: 'replacePets', responses: { '204': { description: 'Done.' } } } },
  ],
  ['NewPet in requests: optional field colour added', { 'NewPet properties colour': { type: 'string' } }],
  // Texts, examples and names of schemas do not count as changes.
  [
    [],
    {
      'listPets description': 'Other words.',
      'Pet properties name description': 'Other words.',
      'Pet properties name example': 'Felix',
    },
  ],
  [
    'listPets: sunset from never to 2031-01-01',
    { 'listPets deprecated': true, 'listPets x-deprecated-sunset': '2031-01-01' },
  ],
  ['createOrder: stability from experimental to stable', { 'createOrder x-stability': GONE }],
  ['listPets: scope from pets:read to none', { 'listPets x-scope': GONE }],
  ['listPets: access without a key added', { 'listPets security': [] }],
  [
    [],
    {
      PetStatus: moveTo('components schemas Status'),
      'Pet properties status allOf 0 $ref': '#/components/schemas/Status',
      'NewPet properties status allOf 0 $ref': '#/components/schemas/Status',
      'listPets parameters 2 schema $ref': '#/components/schemas/Status',
    },
  ],
];

describe.each([
  ['Clients break if', BREAKS, true],
  ['Clients go on if', HARMLESS, false],
] as const)('%s', (_, rows, breaks) => {
  it.each(rows)('%s', (told, edits, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    const seen = breaks ? changes.filter((change) => change.breaks) : changes;
    expect(seen.map((change) => [change.what, change.breaks])).toEqual(
      [told].flat().map((what) => [what, breaks]),
    );
  });
});
