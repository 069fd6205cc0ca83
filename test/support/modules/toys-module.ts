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
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import {
  Column,
  DataSource,
  Entity,
  type EntitySubscriberInterface,
  EventSubscriber,
  Index,
  type InsertEvent,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  type RemoveEvent,
  Repository,
  Tree,
  TreeChildren,
  TreeParent,
  TreeRepository,
  VirtualColumn,
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

class SalesQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  least!: number;
}

@Controller('toys')
class ToysController {
  constructor(private readonly toys: ToysService) {}

  @Post()
  add(@Body() body: NewToy) {
    return this.toys.add(body);
  }

  @Get('sales')
  async sales(@Query() { least }: SalesQuery) {
    return (await this.toys.soldSince(least)).map(({ name, pieces }) => ({ name, pieces: Number(pieces) }));
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
}

@Entity('toy_notes')
export class ToyNote {
  @PrimaryGeneratedColumn()
  id!: number;

  @Index('one_of_a_kind', { unique: true })
  @Column({ type: 'varchar', length: 60 })
  text!: string;

  @VirtualColumn({ query: (note) => `SELECT LENGTH(${note}.text)` })
  size!: number;
}

/** A subscriber that is a provider. It writes through an injected repository, not through the manager of the event. */
@Injectable()
@EventSubscriber()
export class ToyDiary implements EntitySubscriberInterface<Toy> {
  known: number | undefined = 0;

  constructor(
    dataSource: DataSource,
    @InjectRepository(ToyNote) private readonly notes: Repository<ToyNote>,
  ) {
    dataSource.subscribers.push(this);
  }

  listenTo() {
    return Toy;
  }

  async afterInsert({ entity: { name } }: InsertEvent<Toy>): Promise<void> {
    this.known = undefined;
    await this.notes.save({ text: `new: ${name}` });
    if (name === 'ghost') throw new ConflictException('no ghosts');
  }

  async afterRemove({ databaseEntity: { name } }: RemoveEvent<Toy>): Promise<void> {
    await this.notes.insert({ text: `gone: ${name}` });
  }

  async afterTransactionCommit(): Promise<void> {
    this.known ??= await this.notes.count();
  }
}

@Entity('toy_shelves')
@Tree('materialized-path')
export class ToyShelf {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar', length: 60 })
  name!: string;

  @TreeChildren()
  children?: ToyShelf[];

  @TreeParent()
  parent?: ToyShelf | null;
}

@Injectable()
export class ToyShelves {
  constructor(@InjectRepository(ToyShelf) readonly shelves: TreeRepository<ToyShelf>) {}
}

@Module({
  imports: [TypeOrmModule.forFeature([Toy, ToySale, ToyNote, ToyShelf])],
  controllers: [ToysController],
  providers: [ToysService, ToyDiary, ToyShelves],
})
export class ToysModule {}
