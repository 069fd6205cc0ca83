import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThan, MoreThan, Repository } from 'typeorm';
import type { Int64, Page } from '../../../kernel/index.js';
import { forUpdate, insertOnce, keysetPage } from '../../../platform/database/index.js';
import { MAX_GROOMING_MINUTES } from '../../domain/new-grooming.js';
import { Grooming } from '../../domain/grooming.js';
import { GroomingRepository, type GroomingSelection } from '../../ports/grooming-repository.js';

/** Keeps groomings in the table `groomings`. */
@Injectable()
export class TypeOrmGroomingRepository extends GroomingRepository {
  constructor(@InjectRepository(Grooming) private readonly groomings: Repository<Grooming>) {
    super();
  }

  override add(grooming: Grooming): Promise<void> {
    return insertOnce(this.groomings, grooming);
  }

  override async find(id: Int64): Promise<Grooming | undefined> {
    return (await this.groomings.findOneBy({ id })) ?? undefined;
  }

  override lockNear({ groomerId, startsAt, minutes }: Grooming): Promise<Grooming[]> {
    const [since, end] = [-MAX_GROOMING_MINUTES, minutes].map(
      (one) => new Date(startsAt.getTime() + one * 60_000),
    );
    const query = this.groomings.createQueryBuilder('grooming');
    return forUpdate(query.where({ groomerId, startsAt: And(MoreThan(since), LessThan(end)) })).getMany();
  }

  override list(selection: GroomingSelection): Promise<Page<Grooming>> {
    return keysetPage(this.groomings.createQueryBuilder('grooming'), selection);
  }
}
