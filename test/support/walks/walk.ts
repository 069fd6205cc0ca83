import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsISO8601, Matches } from 'class-validator';
import { EntitySchema } from 'typeorm';
import { DomainError, type Int64 } from '../../../src/kernel/index.js';
import { columns, SqlMigration } from '../../../src/platform/database/index.js';
import {
  BooleanField,
  IdField,
  InstantField,
  Int64Field,
  IntegerField,
  TextField,
} from '../../../src/platform/http/index.js';

/** Somebody walks a pet. */
export interface Walk {
  readonly id: Int64;
  readonly petId: Int64;
  readonly walker: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
}

export class UnknownPet extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'walk_without_pet';
  static readonly meaning = 'No animal has the id that `petId` names.';
  static readonly remedy = 'Correct it; list the animals to find it.';
}

export class OverlappingWalk extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'overlapping_walk';
  static readonly meaning = 'The animal is on another walk at that time.';
  static readonly remedy = 'Choose another time.';
}

export const WalkSchema = new EntitySchema<Walk>({
  name: 'Walk',
  tableName: 'walks',
  columns: {
    id: columns.int64({ primary: true }),
    petId: columns.int64({ name: 'pet_id' }),
    walker: columns.text(40),
    beginsAt: columns.instant({ name: 'begins_at' }),
    endsAt: columns.instant({ name: 'ends_at' }),
  },
  indices: [
    { name: 'walks_by_pet', columns: ['petId', 'endsAt'] },
    { name: 'walks_by_beginning', columns: ['beginsAt'] },
  ],
});

export class CreateWalks extends SqlMigration {
  readonly name = 'CreateWalks1795999999998';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE walks (
         id INTEGER NOT NULL PRIMARY KEY,
         pet_id INTEGER NOT NULL,
         walker TEXT NOT NULL,
         begins_at INTEGER NOT NULL,
         ends_at INTEGER NOT NULL
       ) STRICT`,
      'CREATE INDEX walks_by_pet ON walks (pet_id, ends_at)',
      'CREATE INDEX walks_by_beginning ON walks (begins_at)',
      `INSERT OR IGNORE INTO sequences (name, next_id) VALUES ('walks', 1)`,
    ],
    mysql: [
      `CREATE TABLE walks (
         id BIGINT NOT NULL PRIMARY KEY,
         pet_id BIGINT NOT NULL,
         walker VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         begins_at BIGINT NOT NULL,
         ends_at BIGINT NOT NULL,
         INDEX walks_by_pet (pet_id, ends_at),
         INDEX walks_by_beginning (begins_at)
       ) ENGINE = InnoDB`,
      `INSERT IGNORE INTO sequences (name, next_id) VALUES ('walks', 1)`,
    ],
  };

  protected readonly backwards = ['DROP TABLE walks', `DELETE FROM sequences WHERE name = 'walks'`];
}

const PET = { description: 'Identifier of the animal.', example: 42 };
const WALKER = { description: 'Who walks it: code points, one of them visible.', example: 'Ada' };
const BEGIN = { description: 'When it begins.', example: '2026-11-20T12:00:00.000Z' };
const MINUTES = { description: 'How long it takes.', example: 30 };

@ApiSchema({ name: 'NewWalk' })
export class NewWalkBody {
  @Int64Field(PET)
  petId!: Int64;

  @TextField({ ...WALKER, minLength: 1, maxLength: 40 })
  walker!: string;

  @InstantField(BEGIN)
  beginsAt!: Date;

  @IntegerField({ ...MINUTES, min: 15, max: 240 })
  minutes!: number;
}

@ApiSchema({ name: 'Walk' })
export class WalkBody {
  @IdField({ description: 'Identifier of the walk.', example: 7 })
  id!: Int64;

  @Int64Field(PET)
  petId!: Int64;

  @TextField({ ...WALKER, description: 'Who walks it; for those who may `walks:admin`.', optional: true })
  walker?: string | undefined;

  @InstantField(BEGIN)
  beginsAt!: Date;

  @InstantField({ ...BEGIN, description: 'When it ends.' })
  endsAt!: Date;
}

/** Not of a list: no `PageQuery`. */
export class DayQuery {
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  @IsISO8601({ strict: true })
  @ApiProperty({ format: 'date', description: 'The day, in UTC.', example: '2026-11-20' })
  day!: string;

  @BooleanField({ description: 'Leaves out the walks.', example: true, optional: true })
  isBrief?: boolean;
}

@ApiSchema({ name: 'WalksOfDay' })
export class WalksOfDayBody {
  @IntegerField({ description: 'How many begin on that day.', example: 1, min: 0, max: 10_000 })
  count!: number;

  @ApiProperty({ description: 'The first hundred of them.', type: [WalkBody], required: false })
  walks?: WalkBody[];
}
