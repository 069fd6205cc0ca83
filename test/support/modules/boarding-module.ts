import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { EntitySchema, Repository } from 'typeorm';
import { DomainError, type Int64, InvalidInput, type Selection } from '../../../src/kernel/index.js';
import {
  columns,
  insertOnce,
  keysetPage,
  Migrations,
  SqlMigration,
} from '../../../src/platform/database/index.js';
import {
  Before,
  DayField,
  DecimalField,
  From,
  Id,
  Int64Field,
  IntegerField,
  ListOperation,
  Operation,
  Paged,
  PageQuery,
  type Paging,
  SortField,
} from '../../../src/platform/http/index.js';
import type { ModuleFacts } from '../module-facts.js';

// A module with a key of two columns, lists of plain values, and a list that belongs to an item of another module.

interface Stay {
  readonly petId: Int64;
  /** Unique for the pet. */
  readonly id: Int64;
  readonly arrivesOn: string;
  readonly price: string;
  readonly extras: readonly string[];
  readonly weights: readonly number[];
}

class StayNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'stay_not_found';
  static readonly meaning = 'The pet has no such stay.';
  static readonly remedy = 'List its stays.';
}

const StaySchema = new EntitySchema<Stay>({
  name: 'Stay',
  tableName: 'boarding_stays',
  columns: {
    petId: columns.int64({ name: 'pet_id', primary: true }),
    id: columns.int64({ primary: true }),
    arrivesOn: columns.day({ name: 'arrives_on' }),
    price: columns.decimal(6, 2),
    extras: columns.words(90),
    weights: columns.words(90),
  },
  indices: [
    { name: 'stays_by_arrival', columns: ['petId', 'arrivesOn', 'id'] },
    { name: 'stays_by_price', columns: ['petId', 'price', 'id'] },
    { name: 'stays_by_price_and_arrival', columns: ['petId', 'price', 'arrivesOn', 'id'] },
  ],
});

const INDICES = [
  'CREATE INDEX stays_by_arrival ON boarding_stays (pet_id, arrives_on, id)',
  'CREATE INDEX stays_by_price ON boarding_stays (pet_id, price, id)',
  'CREATE INDEX stays_by_price_and_arrival ON boarding_stays (pet_id, price, arrives_on, id)',
];

class CreateStays extends SqlMigration {
  readonly name = 'CreateStays1795999999997';

  protected readonly forwards = {
    sqlite: [
      `CREATE TABLE boarding_stays (
         pet_id INTEGER NOT NULL,
         id INTEGER NOT NULL,
         arrives_on TEXT NOT NULL,
         price INTEGER NOT NULL,
         extras TEXT NOT NULL,
         weights TEXT NOT NULL,
         PRIMARY KEY (pet_id, id)
       ) STRICT`,
      ...INDICES,
    ],
    mysql: [
      `CREATE TABLE boarding_stays (
         pet_id BIGINT NOT NULL,
         id BIGINT NOT NULL,
         arrives_on DATE NOT NULL,
         price BIGINT NOT NULL,
         extras VARCHAR(90) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         weights VARCHAR(90) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
         PRIMARY KEY (pet_id, id)
       ) ENGINE = InnoDB`,
      ...INDICES,
    ],
  };

  protected readonly backwards = ['DROP TABLE boarding_stays'];
}

const DAY = { description: 'A calendar day.', example: '2026-11-20' };
const PRICE = { description: 'What it costs.', example: '12.50', precision: 6, scale: 2 };

@ApiSchema({ name: 'NewStay' })
class NewStayBody {
  @IntegerField({ description: 'Which stay of the pet.', example: 1, min: 1, max: 99_999 })
  id!: number;

  @DayField(DAY)
  arrivesOn!: string;

  @DecimalField(PRICE)
  price!: string;

  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  @MaxLength(9, { each: true })
  @ApiProperty({ description: 'What else.', example: ['bath'] })
  extras!: string[];

  @IsArray()
  @ArrayMaxSize(5)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(90, { each: true })
  @ApiProperty({ description: 'In kilograms.', example: [3, 4] })
  weights!: number[];
}

@ApiSchema({ name: 'Stay' })
class StayBody extends NewStayBody {
  @Int64Field({ description: 'The pet.', example: 42 })
  petId!: Int64;
}

class ListStaysQuery extends PageQuery {
  @DecimalField({ ...PRICE, optional: true })
  price?: string;

  @From('arrivesOn')
  @DayField({ ...DAY, optional: true })
  arrivesFrom?: string;

  @Before('arrivesOn')
  @DayField({ ...DAY, optional: true })
  arrivesBefore?: string;

  @SortField({ arrivesOn: 'day' })
  sort?: string;
}

class NightsQuery {
  @DayField(DAY)
  from!: string;

  @DayField(DAY)
  to!: string;
}

@ApiSchema({ name: 'Nights' })
class NightsBody {
  @IntegerField({ description: 'How many.', example: 1, min: 0, max: 4_000_000 })
  nights!: number;
}

@Controller('boarding')
class StaysController {
  constructor(@InjectRepository(StaySchema) private readonly rows: Repository<Stay>) {}

  @Get('pets/:petId/stays')
  @ListOperation('stays', { name: 'listStays', errors: [StayNotFound], body: StayBody, listName: 'Stays' })
  list(@Id('petId', StayNotFound) petId: Int64, @Query() query: ListStaysQuery, @Paged() page: Paging) {
    const read = ({ filter, ...selection }: Selection<object>) =>
      keysetPage(this.rows.createQueryBuilder('stay'), { ...selection, filter: { ...filter, petId } });
    return page(query, read, (stay) => stay);
  }

  @Post('pets/:petId/stays')
  @Operation({
    name: 'addStay',
    errors: [StayNotFound],
    summary: 'Adds a stay.',
    description: 'Safe to send again.',
    success: { status: 201, description: 'It is added.', body: StayBody },
  })
  async add(@Id('petId', StayNotFound) petId: Int64, @Body() { id, ...body }: NewStayBody) {
    const stay = { petId, id: BigInt(id), ...body };
    await this.rows.delete({ petId, id: stay.id });
    await insertOnce(this.rows, stay);
    return stay;
  }

  @Get('nights')
  @Operation({
    name: 'countNights',
    summary: 'Counts the nights between two days.',
    description: '`to` is not earlier than `from`.',
    success: { status: 200, description: 'The number.', body: NightsBody },
  })
  nights(@Query() { from, to }: NightsQuery) {
    if (to < from)
      throw new InvalidInput([{ field: 'to', code: 'out_of_range', message: 'must not be before from' }]);
    return { nights: (Date.parse(to) - Date.parse(from)) / 86_400_000 };
  }
}

@Migrations(CreateStays)
@Module({ imports: [TypeOrmModule.forFeature([StaySchema])], controllers: [StaysController] })
export class BoardingModule {}

/** As in `test/modules/<module>.ts`. */
export const boardingFacts: ModuleFacts = {
  rules: { countNights: ({ from, to }) => from! <= to! },
};
