import { Body, Controller, Get, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { ListPetsDto, NewPetDto } from './pets.dto.js';
import { PetsService } from './pets.service.js';

@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  list(@Query() query: ListPetsDto) {
    return this.pets.list(query);
  }

  @Post()
  add(@Body() body: NewPetDto) {
    return this.pets.add(body);
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number) {
    return this.pets.get(id);
  }
}
