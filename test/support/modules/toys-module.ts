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
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import {
  Column,
  DataSource,
  Entity,
  type EntitySubscriberInterface,
  EventSubscriber,
  Index,
  type InsertEvent,
  PrimaryGeneratedColumn,
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

class NewToy {
  @IsString()
  @MaxLength(40)
  name!: string;

  @IsInt()
  @Min(0)
  stock!: number;
}

@Injectable()
class ToysService {
  constructor(@InjectRepository(Toy) private readonly toys: Repository<Toy>) {}

  add(toy: NewToy): Promise<Toy> {
    return this.toys.save(toy);
  }

  async find(id: number): Promise<Toy> {
    const toy = await this.toys.findOneBy({ id });
    if (!toy) throw new NotFoundException('no such toy');
    return toy;
  }
}

@Controller('toys')
class ToysController {
  constructor(private readonly toys: ToysService) {}

  @Post()
  add(@Body() body: NewToy) {
    return this.toys.add(body);
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
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
  constructor(private readonly source: DataSource) {}

  get shelves(): TreeRepository<ToyShelf> {
    return this.source.getTreeRepository(ToyShelf);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Toy, ToyNote, ToyShelf])],
  controllers: [ToysController],
  providers: [ToysService, ToyDiary, ToyShelves],
})
export class ToysModule {}
