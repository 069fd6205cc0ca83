import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64, Page } from '../../../kernel/index.js';
import { changeRow, forUpdate, insertOnce, keysetPage } from '../../../platform/database/index.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import { Pet } from '../../domain/pet.js';
import { PetRepository, type PetSelection } from '../../ports/pet-repository.js';

/** Keeps pets in the table `pets`. */
@Injectable()
export class TypeOrmPetRepository extends PetRepository {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {
    super();
  }

  override add(pet: Pet): Promise<void> {
    return insertOnce(this.pets, pet);
  }

  override async addAll(pets: readonly Pet[]): Promise<void> {
    if (pets.length > 0) await this.pets.insert([...pets]);
  }

  override async find(id: Int64): Promise<Pet | undefined> {
    return (await this.pets.findOneBy({ id })) ?? undefined;
  }

  override async lock(id: Int64): Promise<Pet | undefined> {
    return (await forUpdate(this.pets.createQueryBuilder('pet').where({ id })).getOne()) ?? undefined;
  }

  override list(selection: PetSelection): Promise<Page<Pet>> {
    return keysetPage(this.pets.createQueryBuilder('pet'), selection);
  }

  override async change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet> {
    const changed = await changeRow(this.pets, { id }, change);
    if (!changed) throw new PetNotFound();
    return changed;
  }
}
