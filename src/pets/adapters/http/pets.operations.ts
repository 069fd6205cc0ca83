import { applyDecorators } from '@nestjs/common';
import { Deprecated } from '../../../platform/http/deprecation/deprecated.decorator.js';
import { ListOperation, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { ApiErrors, RequireScope } from '../../../platform/http/route.decorators.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import { GET_PET } from './get-pet.deprecation.js';
import { PetBody } from './pet.dto.js';

// What the document says of each operation, and which scope it requires.

export const ListPets = () =>
  applyDecorators(
    RequireScope('pets:read'),
    ListOperation('animals', {
      name: 'listPets',
      body: PetBody,
      listName: 'Pets',
      links: { getPet: { petId: '$response.body#/0/id' } },
    }),
  );

export const CreatePet = () =>
  applyDecorators(
    RequireScope('pets:write'),
    Operation({
      name: 'createPet',
      summary: 'Adds a new animal.',
      description: 'Without a `status` the animal is `available`. Unknown fields are rejected.',
      success: {
        status: 201,
        description: 'Animal added; the body carries the assigned `id`.',
        body: PetBody,
        headers: {
          Location: {
            description: 'The address of the new animal, as long as animals can be fetched by id.',
          },
          'Idempotency-Replayed': { description: '`true` when this is the answer to an earlier try.' },
        },
        links: { getPet: { petId: '$response.body#/id' } },
      },
    }),
  );

export const GetPet = () =>
  applyDecorators(
    RequireScope('pets:read'),
    ApiErrors(PetNotFound),
    Deprecated(GET_PET),
    Operation({
      name: 'getPet',
      summary: 'Returns one animal by identifier.',
      description: 'Use `GET /pets` with the `status` filter instead.',
      success: { status: 200, description: 'The requested animal.', body: PetBody },
    }),
  );
