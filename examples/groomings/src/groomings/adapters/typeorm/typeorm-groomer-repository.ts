import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64, Page } from '../../../kernel/index.js';
import { forUpdate, insertOnce, keysetPage } from '../../../platform/database/index.js';
import { Groomer } from '../../domain/groomer.js';
import { GroomerRepository, type GroomerSelection } from '../../ports/groomer-repository.js';

/** Keeps groomers in the table `groomers`. */
@Injectable()
export class TypeOrmGroomerRepository extends GroomerRepository {
  constructor(@InjectRepository(Groomer) private readonly groomers: Repository<Groomer>) {
    super();
  }

  override add(groomer: Groomer): Promise<void> {
    return insertOnce(this.groomers, groomer);
  }

  override async find(id: Int64): Promise<Groomer | undefined> {
    return (await this.groomers.findOneBy({ id })) ?? undefined;
  }

  override async lock(id: Int64): Promise<boolean> {
    const query = this.groomers.createQueryBuilder('groomer').where({ id });
    return (await forUpdate(query).getOne()) !== null;
  }

  override list(selection: GroomerSelection): Promise<Page<Groomer>> {
    return keysetPage(this.groomers.createQueryBuilder('groomer'), selection);
  }
}
