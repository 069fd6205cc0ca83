import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Int64 } from '../../../kernel/index.js';
import {
  DescribedTag,
  Id,
  Idempotent,
  Location,
  type Once,
  type Paging,
  type SetLocation,
  SharedPages,
} from '../../../platform/http/index.js';
import { PetCatalog } from '../../application/pet-catalog.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import { GET_PET } from './get-pet.deprecation.js';
import { ListPetsQuery, NewPetBody, toPetBody } from './pet.dto.js';
import { CreatePet, GetPet, ListPets } from './pets.operations.js';

@DescribedTag('pets', 'The animals of the catalogue.')
@Controller('pets')
export class PetsController {
  constructor(private readonly catalog: PetCatalog) {}

  @Get()
  @ListPets()
  list(@Query() query: ListPetsQuery, @SharedPages() page: Paging) {
    return page(query, (selection) => this.catalog.list(selection), toPetBody);
  }

  @Post()
  @CreatePet()
  add(@Body() body: NewPetBody, @Idempotent() once: Once, @Location(GET_PET) setLocation: SetLocation) {
    return once(async () => {
      const pet = await this.catalog.add(body);
      setLocation(pet.id);
      return toPetBody(pet);
    });
  }

  @Get(':petId')
  @GetPet()
  async get(@Id('petId', PetNotFound, 'Identifier of the animal to retrieve.') id: Int64) {
    return toPetBody(await this.catalog.get(id));
  }
}
