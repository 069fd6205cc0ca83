import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64 } from '../../../kernel/int64.js';
import type { Page } from '../../../kernel/page.js';
import { changeRow } from '../../../platform/database/queries/compare-and-set.js';
import { insertOnce } from '../../../platform/database/queries/insert-once.js';
import { keysetPage } from '../../../platform/database/queries/keyset-page.js';
import { forUpdate } from '../../../platform/database/queries/query-hints.js';
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
    const changed = await changeRow(this.pets, { id }, ['status'], change);
    if (!changed) throw new PetNotFound();
    return changed;
  }
}
