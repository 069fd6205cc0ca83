import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, moveTo, released, type Row } from './edited-document.js';

const ROWS: readonly Row[] = [
  [
    'a value is added to an enumeration in an answer',
    { 'OrderStatus enum 4': 'lost' },
    [
      'OrderStatus in answers: enum from placed, approved, delivered, cancelled to placed, approved, delivered, cancelled, lost',
    ],
  ],
  [
    'an enumeration in an answer becomes any text',
    { 'OrderStatus enum': GONE },
    ['OrderStatus in answers: enum from placed, approved, delivered, cancelled to none'],
  ],
  [
    'a field of an answer is removed',
    { 'Pet properties name': GONE, 'Pet required 1': GONE },
    ['Pet in answers: field name removed'],
  ],
  [
    'a field of an answer is renamed',
    { 'Pet properties name': moveTo('Pet properties title'), 'Pet required 1': 'title' },
    ['Pet in answers: field name removed'],
  ],
  [
    'the type of a field of an answer is changed',
    { 'Pet properties name type': 'integer' },
    ['Pet.name in answers: type from string to integer'],
  ],
  [
    'an integer of an answer becomes a number',
    { 'Pet properties categoryId type': 'number' },
    ['Pet.categoryId in answers: type from integer to number, integer'],
  ],
  [
    'the format of a field of an answer is changed',
    { 'Order properties placedAt format': 'date' },
    ['Order.placedAt in answers: format from date-time to date'],
  ],
  [
    'a field of an answer may be null',
    { 'Pet properties name type': ['string', 'null'] },
    ['Pet.name in answers: type from string to string, null'],
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
  ['an answer may have more items', { 'Pets maxItems': 500 }, ['Pets in answers: maxItems from 100 to 500']],
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
  ['the success status is removed', { 'listPets responses 304': GONE }, ['listPets: status 304 removed']],
  [
    'a media type of an answer is removed',
    { 'updateOrder responses 409 content application/problem+json': GONE },
    ['updateOrder: answer as application/problem+json removed on 409'],
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
    'an error with its codes is removed',
    { 'updateOrder responses 412': GONE },
    ['updateOrder: status 412 removed'],
  ],
  [
    'an answer with another success status is added',
    { 'createPet responses 202': { description: 'Later.' } },
    ['createPet: status 202 added'],
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
  [
    'a choice is added to an answer',
    { 'Pet properties name anyOf 2': { type: 'boolean' } },
    ['Pet.name in answers: choices changed'],
    { 'Pet properties name': { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  ],
];

describe('Clients break if', () => {
  it.each(ROWS)('%s', (_, edits, breaks, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    expect(changes.filter((change) => change.breaks).map(({ what }) => what)).toEqual(breaks);
  });
});
