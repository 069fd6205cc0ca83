import { applyDecorators } from '@nestjs/common';
import { CreateOperation, Deprecated, ListOperation, Operation } from '../../../platform/http/index.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import { GET_PET } from './get-pet.deprecation.js';
import { PetBody } from './pet.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListPets = () =>
  ListOperation('animals', {
    name: 'listPets',
    scope: 'pets:read',
    body: PetBody,
    listName: 'Pets',
  });

export const CreatePet = () =>
  CreateOperation('animal', {
    name: 'createPet',
    scope: 'pets:write',
    agentDescription:
      'An animal without a `status` becomes `available`. Fields that the schema does not have are rejected.',
    description:
      'An animal without a `status` becomes `available`. Unknown fields are rejected. Send an `Idempotency-Key`, so that you can retry safely.',
    location: 'The URL of the new animal. The header is sent until getPet is removed.',
    body: PetBody,
    links: { listPets: { id: '$response.body#/id' } },
  });

export const GetPet = () =>
  applyDecorators(
    Deprecated(GET_PET),
    Operation({
      name: 'getPet',
      scope: 'pets:read',
      errors: [PetNotFound],
      agentDescription: 'With the argument `id`, listPets returns one animal or several.',
      summary: 'Returns one animal by identifier.',
      description:
        'Use `GET /pets` with the `status` filter instead. To get one animal there, add the filter `id`, as in `GET /pets?id=1`. A malformed id returns 404 `pet_not_found`.',
      success: { status: 200, description: 'The requested animal.', body: PetBody },
    }),
  );
