import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Int64 } from '../../../kernel/int64.js';
import { Deprecated } from '../../../platform/http/deprecation/deprecated.decorator.js';
import { DeprecationPolicy } from '../../../platform/http/deprecation/deprecation.js';
import { Id } from '../../../platform/http/id.js';
import { DescribedTag, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { ApiErrors, RequireScope } from '../../../platform/http/route.decorators.js';
import { Idempotent, type Once } from '../../../platform/http/idempotency/idempotency.js';
import { Links } from '../../../platform/http/links.js';
import { Pager } from '../../../platform/http/lists/pager.js';
import { PetCatalog } from '../../application/pet-catalog.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import { GET_PET } from './get-pet.deprecation.js';
import { ListPetsQuery } from './list-pets.query.js';
import { NewPetBody, PetBody, toNewPetInput, toPetBody } from './pet.dto.js';

@DescribedTag('pets', 'The animals of the catalogue.')
@Controller('pets')
export class PetsController {
  constructor(
    private readonly catalog: PetCatalog,
    private readonly pager: Pager,
    private readonly links: Links,
    private readonly deprecations: DeprecationPolicy,
  ) {}

  @Get()
  @ApiErrors('invalid_cursor')
  @RequireScope('pets:read')
  @Operation({
    name: 'listPets',
    summary: 'Lists animals.',
    description:
      'Newest first (largest id first). The next page is in the `Link` header; the body is a bare array.',
    success: {
      status: 200,
      description: 'The list of animals; empty when nothing matches.',
      body: PetBody,
      listName: 'Pets',
      headers: {
        Link: { description: 'The `next` page, absent on the last one, and the `first`.', required: true },
      },
      links: { getPet: { petId: '$response.body#/0/id' } },
    },
  })
  list(@Query() query: ListPetsQuery, @Res({ passthrough: true }) response: Response) {
    return this.pager.page(response, '/pets', query, (selection) => this.catalog.list(selection), toPetBody);
  }

  @Post()
  @RequireScope('pets:write')
  @Operation({
    name: 'createPet',
    summary: 'Adds a new animal.',
    description: 'Without a `status` the animal is `available`. Unknown fields are rejected.',
    success: {
      status: 201,
      description: 'Animal added; the body carries the assigned `id`.',
      body: PetBody,
      headers: {
        Location: { description: 'The address of the new animal, as long as animals can be fetched by id.' },
        'Idempotency-Replayed': { description: '`true` when this is the answer to an earlier try.' },
      },
      links: { getPet: { petId: '$response.body#/id' } },
    },
  })
  add(@Body() body: NewPetBody, @Idempotent() once: Once, @Res({ passthrough: true }) response: Response) {
    return once(async () => {
      const pet = await this.catalog.add(toNewPetInput(body));
      if (!this.deprecations.isGone(GET_PET))
        response.setHeader('Location', this.links.of(response.req).to(`/pets/${pet.id}`));
      return toPetBody(pet);
    });
  }

  @Get(':petId')
  @ApiErrors(PetNotFound)
  @RequireScope('pets:read')
  @Deprecated(GET_PET)
  @Operation({
    name: 'getPet',
    summary: 'Returns one animal by identifier.',
    description: 'Use `GET /pets` with the `status` filter instead.',
    success: { status: 200, description: 'The requested animal.', body: PetBody },
  })
  async get(@Id('petId', 'Identifier of the animal to retrieve.') id: Int64) {
    return toPetBody(await this.catalog.get(id));
  }
}
