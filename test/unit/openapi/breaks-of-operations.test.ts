import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/openapi/changes.js';
import { edited, GONE, moveTo, released, type Row } from './edited-document.js';

const ROWS: readonly Row[] = [
  ['an operation is removed', { 'paths /pets/{petId}': GONE }, ['getPet: removed']],
  ['one method of a path is removed', { createPet: GONE }, ['createPet: removed']],
  [
    'the method is changed',
    { listPets: moveTo('paths /pets put') },
    ['listPets: address from GET /pets to PUT /pets'],
  ],
  [
    'the path is changed',
    { 'paths /pets': moveTo('paths /animals') },
    [
      'listPets: address from GET /pets to GET /animals',
      'createPet: address from POST /pets to POST /animals',
    ],
  ],
  ['an operation is renamed', { 'listPets operationId': 'findPets' }, ['listPets: removed']],
  [
    'another scope is needed',
    { 'listPets x-scope': 'pets:write' },
    ['listPets: scope from pets:read to pets:write'],
  ],
  [
    'a scope is needed',
    { 'listPets x-scope': 'pets:read' },
    ['listPets: scope from none to pets:read'],
    { 'listPets x-scope': GONE },
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
];

describe('Clients break if', () => {
  it.each(ROWS)('%s', (_, edits, breaks, known = {}) => {
    const document = edited(released, known);
    const changes = changesBetween(document, edited(document, edits));
    expect(changes.filter((change) => change.breaks).map(({ what }) => what)).toEqual(breaks);
  });
});
