import { Body, Controller, Get, Header, Inject, NotFoundException, Param, Post, Query } from '@nestjs/common';
import { ListPetsDto, NewPetDto } from '../nest/pets.dto.js';
import { isId, JSON_TYPE } from '../shared.js';
import type { PetStore } from '../store/pet-store.js';

export const PET_STORE = Symbol('PetStore');

@Controller('pets')
export class PetsController {
  constructor(@Inject(PET_STORE) private readonly store: PetStore) {}

  @Get()
  @Header('Content-Type', JSON_TYPE)
  list(@Query() { status, before, limit }: ListPetsDto) {
    return this.store.list(status, before, limit);
  }

  @Post()
  @Header('Content-Type', JSON_TYPE)
  add(@Body() { name, categoryId, status }: NewPetDto) {
    return this.store.add(name, categoryId, status);
  }

  @Get(':id')
  @Header('Content-Type', JSON_TYPE)
  async find(@Param('id') id: string) {
    const pet = isId(id) ? await this.store.find(id) : undefined;
    if (pet === undefined) throw new NotFoundException();
    return pet;
  }
}
