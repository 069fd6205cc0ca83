import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Repository } from 'typeorm';
import { type Int64, type Page, UnitOfWork } from '../../../kernel/index.js';
import { forUpdate, insertOnce, keysetPage, valuesOf } from '../../../platform/database/index.js';
import { VaccinationNotFound } from '../../domain/vaccination-errors.js';
import { Vaccination } from '../../domain/vaccination.js';
import { VaccinationRepository, type VaccinationSelection } from '../../ports/vaccination-repository.js';

/** Keeps vaccinations in the table `vaccinations`. */
@Injectable()
export class TypeOrmVaccinationRepository extends VaccinationRepository {
  constructor(
    @InjectRepository(Vaccination) private readonly vaccinations: Repository<Vaccination>,
    private readonly units: UnitOfWork,
  ) {
    super();
  }

  override add(vaccination: Vaccination): Promise<void> {
    return insertOnce(this.vaccinations, vaccination);
  }

  override async find(id: Int64): Promise<Vaccination | undefined> {
    return (await this.vaccinations.findOneBy({ id })) ?? undefined;
  }

  override list(selection: VaccinationSelection): Promise<Page<Vaccination>> {
    return keysetPage(this.vaccinations.createQueryBuilder('vaccination'), selection);
  }

  override lockOpen(petId: Int64): Promise<Vaccination[]> {
    const query = this.vaccinations.createQueryBuilder('vaccination').where({ petId, state: 'open' });
    return forUpdate(query).orderBy('vaccination.id').getMany();
  }

  override lockDue(before: Date, limit: number): Promise<Vaccination[]> {
    const query = this.vaccinations
      .createQueryBuilder('vaccination')
      .where({ state: 'open', remindedAt: IsNull(), dueAt: LessThan(before) })
      .useIndex('vaccinations_to_remind');
    return forUpdate(query).orderBy('vaccination.dueAt').limit(limit).getMany();
  }

  override change(
    id: Int64,
    change: (vaccination: Vaccination) => Vaccination | Promise<Vaccination>,
  ): Promise<Vaccination> {
    return this.units.run(async () => {
      const found = await this.#locked(id);
      if (!found) throw new VaccinationNotFound();
      const changed = await change(found);
      await this.vaccinations.update({ id }, valuesOf(this.vaccinations, changed));
      return changed;
    });
  }

  override delete(id: Int64, check: (vaccination: Vaccination) => void): Promise<Vaccination | undefined> {
    return this.units.run(async () => {
      const found = await this.#locked(id);
      if (!found) return undefined;
      check(found);
      await this.vaccinations.delete({ id });
      return found;
    });
  }

  /** Locks the row until the unit of work ends. */
  async #locked(id: Int64): Promise<Vaccination | undefined> {
    const query = this.vaccinations.createQueryBuilder('vaccination').where({ id });
    return (await forUpdate(query).getOne()) ?? undefined;
  }
}
