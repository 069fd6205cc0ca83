import { Controller, Get, Module, Query } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  CreateDateColumn,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  Repository,
  Table,
} from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Int64, Selection } from '../../../src/kernel/index.js';
import { columns, keysetPage, Migrations } from '../../../src/platform/database/index.js';
import { Paged, PageQuery, type Paging, SortField } from '../../../src/platform/http/index.js';
import { linked } from '../../support/api-client.js';
import { onMySqlToo } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const ROWS = 20;
const SORT = { createdAt: 'instant', places: 'int64' } as const;

@Entity('shelters')
class Shelter {
  @PrimaryColumn(columns.int64() as never)
  id!: Int64;

  @CreateDateColumn()
  createdAt!: Date;

  @Column()
  places!: number;
}

class ListSheltersQuery extends PageQuery {
  @SortField(SORT)
  sort?: string;
}

@Controller('shelters')
class SheltersController {
  constructor(@InjectRepository(Shelter) private readonly shelters: Repository<Shelter>) {}

  @Get()
  list(@Query() query: ListSheltersQuery, @Paged() page: Paging) {
    const read = (selection: Selection<object>) =>
      keysetPage(this.shelters.createQueryBuilder('shelter'), selection);
    return page(query, read, (shelter) => shelter, { sort: SORT });
  }
}

class CreateShelters implements MigrationInterface {
  readonly name = 'CreateShelters1900000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { dataSource } = runner;
    await runner.createTable(Table.create(dataSource.getMetadata(Shelter), dataSource.driver));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('shelters');
  }
}

@Migrations(CreateShelters)
@Module({ imports: [TypeOrmModule.forFeature([Shelter])], controllers: [SheltersController] })
class SheltersModule {}

describe("a list that is sorted by columns of TypeORM's decorators", () =>
  onMySqlToo((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { samples: [SheltersModule] });
      const shelters = service.app.get<Repository<Shelter>>('ShelterRepository');
      for (let n = 1; n <= ROWS; n++) await shelters.insert({ id: BigInt(n), places: n % 4 });
    });
    afterAll(() => service.stop());

    /** Without a check against the OpenAPI document, in which the module describes no body. */
    const idsOf = async (sort: string) => {
      const ids: number[] = [];
      let next: string | undefined = `http://127.0.0.1:${service.port}/v1/shelters?sort=${sort}&limit=3`;
      while (next !== undefined && ids.length <= 2 * ROWS) {
        const answer: Response = await fetch(next, {
          headers: { Authorization: `Bearer ${service.secret}` },
        });
        ids.push(...((await answer.json()) as { id: number }[]).map(({ id }) => id));
        next = linked(answer, 'next');
      }
      return ids;
    };

    const ALL = Array.from({ length: ROWS }, (_, n) => n + 1);
    const byPlaces = ALL.toSorted((one, other) => (one % 4) - (other % 4) || one - other);
    it.each([
      ['createdAt', ALL],
      ['-createdAt', ALL.toReversed()],
      ['places', byPlaces],
      ['-places', byPlaces.toReversed()],
    ])('has each item on exactly one page, in order: sort=%s', async (sort, expected) =>
      expect(await idsOf(sort)).toEqual(expected),
    );
  }));
