import {
  ChildEntity,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onMySqlToo } from '../support/engines.js';
import { EvolvingDatabase } from '../support/evolving-database.js';

@Entity()
class Tag {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('varchar')
  text!: string;
}

@Entity()
class Owner {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;

  @CreateDateColumn({ type: 'timestamp' })
  createdAt!: Date;

  @DeleteDateColumn()
  deletedAt!: Date | null;

  @OneToMany(() => Dog, ({ owner }) => owner)
  dogs!: Dog[];
}

@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Animal {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;

  @Column('bool')
  isGood!: boolean;

  @Column({ type: 'bigint', default: 5 })
  weight!: string;
}

@ChildEntity()
class Dog extends Animal {
  @ManyToOne(() => Owner, ({ dogs }) => dogs)
  owner!: Owner;

  @ManyToMany(() => Tag)
  @JoinTable()
  tags!: Tag[];

  @Column({ type: 'enum', enum: ['small', 'large'], default: 'small' })
  size!: string;
}

@ChildEntity()
class Cat extends Animal {
  @Column({ type: 'datetime', precision: 3, nullable: true })
  sleptAt!: Date | null;
}

const ENTITIES = [Tag, Owner, Animal, Dog, Cat];

describe('entities with the decorators of TypeORM', () =>
  onMySqlToo((engine) => {
    let tables: EvolvingDatabase;
    beforeAll(async () => {
      tables = await EvolvingDatabase.create(engine);
      await tables.become(...ENTITIES);
    });
    afterAll(() => tables.database.drop());

    it('have the same migration and schema', async () =>
      expect((await tables.differenceTo(...ENTITIES)).forwards).toEqual([]));

    it('have the same values on each engine, in keys, relations and tables of several entities', () =>
      tables.with(ENTITIES, async (source) => {
        source.open();
        const [dogs, owners] = [source.getRepository(Dog), source.getRepository(Owner)];
        const owner = await owners.save({});
        const tag = await source.getRepository(Tag).save({ text: 'brave' });
        const { id } = await dogs.save({ owner, tags: [tag], isGood: true });
        await source
          .getRepository(Cat)
          .save({ isGood: false, sleptAt: new Date(5), weight: '9007199254740993' });
        expect([owner.id, id]).toEqual(['1', '1']);

        const [found] = await owners.find({ relations: { dogs: { tags: true } } });
        const dog = { id: '1', isGood: true, weight: '5', size: 'small' };
        expect(found).toEqual({
          id: '1',
          createdAt: expect.any(Date) as Date,
          deletedAt: null,
          dogs: [
            { ...dog, tags: [{ id: expect.stringMatching(/^[\da-f-]{36}$/) as string, text: 'brave' }] },
          ],
        });

        await dogs.save({ id, isGood: false, weight: '7', size: 'large' });
        expect(await source.getRepository(Animal).find({ order: { id: 'ASC' } })).toEqual([
          { id: '1', isGood: false, weight: '7', size: 'large' },
          { id: '2', isGood: false, weight: '9007199254740993', sleptAt: new Date(5) },
        ]);
        await owners.softDelete({ id: owner.id });
        expect(await owners.count()).toBe(0);
        expect(await dogs.find({ loadRelationIds: true })).toMatchObject([{ owner: '1', tags: [tag.id] }]);
      }));
  }));
