import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PetStatus } from '../shared.js';

@Entity('pets')
export class Pet {
  @PrimaryColumn('bigint')
  id!: number | string;

  @Column('varchar')
  name!: string;

  @Column('bigint', { name: 'category_id' })
  categoryId!: number | string;

  @Column('varchar')
  status!: PetStatus;
}
