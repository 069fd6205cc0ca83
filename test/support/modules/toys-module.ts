import {
  Body,
  ConflictException,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import {
  Column,
  DataSource,
  Entity,
  type EntitySubscriberInterface,
  EventSubscriber,
  type InsertEvent,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Repository,
} from 'typeorm';

// A module with its own tables, written as in the documentation of Nest and TypeORM. It imports nothing of this service.

@Entity('toys')
export class Toy {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar', length: 40 })
  name!: string;

  @Column({ type: 'int', default: 0 })
  stock!: number;
}

@Entity('toy_sales')
export class ToySale {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int' })
  pieces!: number;

  @ManyToOne(() => Toy, { nullable: false })
  toy!: Relation<Toy>;
}

class NewToy {
  @IsString()
  @MaxLength(40)
  name!: string;

  @IsInt()
  @Min(0)
  stock!: number;
}

class NewSale {
  @IsInt()
  @Min(1)
  pieces!: number;
}

@Injectable()
class ToysService {
  constructor(
    @InjectRepository(Toy) private readonly toys: Repository<Toy>,
    @InjectRepository(ToySale) private readonly sales: Repository<ToySale>,
    private readonly dataSource: DataSource,
  ) {}

  add(toy: NewToy): Promise<Toy> {
    return this.toys.save(toy);
  }

  async find(id: number): Promise<Toy> {
    const toy = await this.toys.findOneBy({ id });
    if (!toy) throw new NotFoundException('no such toy');
    return toy;
  }

  sell(id: number, pieces: number): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.decrement(Toy, { id }, 'stock', pieces);
      await manager.save(ToySale, { toy: { id }, pieces });
      const { stock } = await manager.findOneByOrFail(Toy, { id });
      if (stock < 0) throw new ConflictException('sold out');
    });
  }

  /** A manual transaction as in TypeORM's guide; injected repositories take part in it. */
  async restock(id: number, pieces: number): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    try {
      await runner.manager.increment(Toy, { id }, 'stock', pieces);
      const { stock } = await runner.manager.findOneByOrFail(Toy, { id });
      if (stock > 100) throw new ConflictException('no room');
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  soldSince(least: number) {
    return this.sales
      .createQueryBuilder('sale')
      .innerJoin('sale.toy', 'toy')
      .select('toy.name', 'name')
      .addSelect('SUM(sale.pieces)', 'pieces')
      .groupBy('toy.name')
      .having('SUM(sale.pieces) >= :least', { least })
      .orderBy('toy.name')
      .getRawMany<{ name: string; pieces: string }>();
  }
}

/** A subscriber that is a provider, as in Nest's documentation. */
@Injectable()
@EventSubscriber()
export class ToySubscriber implements EntitySubscriberInterface<Toy> {
  readonly heard: string[] = [];

  constructor(dataSource: DataSource) {
    dataSource.subscribers.push(this);
  }

  listenTo() {
    return Toy;
  }

  afterInsert({ entity }: InsertEvent<Toy>): void {
    this.heard.push(entity.name);
  }
}

class SalesQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  least!: number;
}

@Controller('toys')
class ToysController {
  constructor(
    private readonly toys: ToysService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  @Post()
  add(@Body() body: NewToy) {
    return this.toys.add(body);
  }

  @Get('sales')
  async sales(@Query() { least }: SalesQuery) {
    return (await this.toys.soldSince(least)).map(({ name, pieces }) => ({ name, pieces: Number(pieces) }));
  }

  @Get('count')
  async count() {
    return { toys: await this.dataSource.getRepository(Toy).count() };
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    return this.toys.find(id);
  }

  @Post(':id/sales')
  async sell(@Param('id', ParseIntPipe) id: number, @Body() { pieces }: NewSale) {
    await this.toys.sell(id, pieces);
    return this.toys.find(id);
  }

  @Post(':id/stock')
  async restock(@Param('id', ParseIntPipe) id: number, @Body() { pieces }: NewSale) {
    await this.toys.restock(id, pieces);
    return this.toys.find(id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Toy, ToySale])],
  controllers: [ToysController],
  providers: [ToysService, ToySubscriber],
})
export class ToysModule {}
