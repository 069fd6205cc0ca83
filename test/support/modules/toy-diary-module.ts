import { ConflictException, Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
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
import { Toy } from './toys-module.js';

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

/** Writes through an injected repository, not through the manager of the event. */
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
  imports: [TypeOrmModule.forFeature([ToyNote, ToyShelf])],
  providers: [ToyDiary, ToyShelves],
})
export class ToyDiaryModule {}
