import { Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Pet } from './pet.entity.js';
import type { ListPetsDto, NewPetDto } from './pets.dto.js';

@Injectable()
export class PetsService implements OnModuleInit {
  #lastId = 0;

  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  async onModuleInit(): Promise<void> {
    this.#lastId = Number(await this.pets.maximum('id' as never));
  }

  list({ status, limit, before }: ListPetsDto): Promise<Pet[]> {
    return this.pets.find({
      where: { ...(status && { status }), ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** `insert` instead of `save`, which would first query whether the id exists. */
  async add({ name, categoryId, status }: NewPetDto): Promise<Pet> {
    const pet = { id: ++this.#lastId, name, categoryId, status };
    await this.pets.insert(pet);
    return pet;
  }

  async get(id: number): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id });
    if (!pet) throw new NotFoundException();
    return pet;
  }
}
