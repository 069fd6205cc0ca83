import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Matches, MaxLength } from 'class-validator';
import { EntitySchema, Repository } from 'typeorm';
import { DomainError, type Int64, InvalidInput, type Selection } from '../../../src/kernel/index.js';
import { columns, insertOnce, keysetPage, Migrations } from '../../../src/platform/database/index.js';
import {
  DayField,
  DecimalField,
  Id,
  Int64Field,
  IntegerField,
  ListOperation,
  Operation,
  Paged,
  PageQuery,
  type Paging,
  SortField,
  WordsField,
} from '../../../src/platform/http/index.js';
import { CreateTable } from '../create-table.js';
import type { ModuleFacts } from '../module-facts.js';

// A module with a key of two columns, lists of plain values, and a list that belongs to an item of another module.

interface Berth {
  readonly petId: Int64;
  /** Unique for the pet. */
  readonly id: Int64;
  readonly arrivesOn: string;
  readonly price: string;
  readonly extras: readonly string[];
  /** What the reader at the door sends. */
  readonly chip: Buffer;
}

class BerthNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'berth_not_found';
  static readonly meaning = 'The pet has no such berth.';
  static readonly remedy = 'List its berths.';
}

const BerthSchema = new EntitySchema<Berth>({
  name: 'Berth',
  tableName: 'berths',
  columns: {
    petId: columns.int64({ name: 'pet_id', primary: true }),
    id: columns.int64({ primary: true }),
    arrivesOn: columns.day({ name: 'arrives_on' }),
    price: columns.decimal(6, 2),
    extras: columns.words(90),
    chip: columns.bytes(8),
  },
  indices: [
    { name: 'berths_by_arrival', columns: ['petId', 'arrivesOn', 'id'] },
    { name: 'berths_by_price', columns: ['petId', 'price', 'id'] },
    { name: 'berths_by_price_and_arrival', columns: ['petId', 'price', 'arrivesOn', 'id'] },
  ],
});

class CreateBerths extends CreateTable {
  readonly name = 'CreateBerths1795999999997';
  protected readonly schema = BerthSchema;
}

const DAY = { description: 'A calendar day.', example: '2026-11-20' };
const PRICE = { description: 'What it costs.', example: '12.50', precision: 6, scale: 2 };

@ApiSchema({ name: 'NewBerth' })
class NewBerthBody {
  @IntegerField({ description: 'Which berth of the pet.', example: 1, min: 1, max: 99_999 })
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

  @Matches(/^(?:[0-9a-f]{2}){1,8}$/)
  @ApiProperty({ description: 'The chip of its door.', example: '00ff', pattern: '^(?:[0-9a-f]{2}){1,8}$' })
  chip!: string;
}

@ApiSchema({ name: 'Berth' })
class BerthBody extends NewBerthBody {
  @Int64Field({ description: 'The pet.', example: 42 })
  petId!: Int64;
}

const toBerthBody = (berth: Berth) => ({ ...berth, chip: berth.chip.toString('hex') });

const SORT = { arrivesOn: 'day' } as const;

class ListBerthsQuery extends PageQuery {
  @DecimalField({ ...PRICE, optional: true })
  price?: string;

  @DayField({ ...DAY, optional: true })
  arrivesFrom?: string;

  @DayField({ ...DAY, optional: true })
  arrivesBefore?: string;

  @SortField(SORT)
  sort?: string;
}

class NightsQuery {
  @DayField(DAY)
  from!: string;

  @DayField(DAY)
  to!: string;

  @WordsField(['bath', 'walk'], {
    name: 'Extra',
    description: 'With these extras.',
    example: ['bath'],
    optional: true,
  })
  extras?: string[];
}

@ApiSchema({ name: 'NightsOfBerth' })
class NightsBody {
  @IntegerField({ description: 'How many.', example: 1, min: 0, max: 4_000_000 })
  nights!: number;
}

@Controller('berths')
class BerthsController {
  constructor(@InjectRepository(BerthSchema) private readonly rows: Repository<Berth>) {}

  @Get('pets/:petId/all')
  @ListOperation('berths', {
    name: 'listBerths',
    errors: [BerthNotFound],
    body: BerthBody,
    listName: 'Berths',
  })
  list(@Id('petId', BerthNotFound) petId: Int64, @Query() query: ListBerthsQuery, @Paged() page: Paging) {
    const read = ({ filter, ...selection }: Selection<object>) =>
      keysetPage(this.rows.createQueryBuilder('berth'), { ...selection, filter: { ...filter, petId } });
    return page(query, read, toBerthBody, {
      sort: SORT,
      ranges: { arrivesOn: { from: 'arrivesFrom', before: 'arrivesBefore' } },
    });
  }

  @Post('pets/:petId/all')
  @Operation({
    name: 'addBerth',
    errors: [BerthNotFound],
    summary: 'Adds a berth.',
    description: 'Safe to send again.',
    success: { status: 201, description: 'It is added.', body: BerthBody },
  })
  async add(@Id('petId', BerthNotFound) petId: Int64, @Body() { id, chip, ...body }: NewBerthBody) {
    const berth = { petId, id: BigInt(id), ...body, chip: Buffer.from(chip, 'hex') };
    await this.rows.delete({ petId, id: berth.id });
    await insertOnce(this.rows, berth);
    return toBerthBody(berth);
  }

  @Get('nights')
  @Operation({
    name: 'countNightsOfBerth',
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

@Migrations(CreateBerths)
@Module({ imports: [TypeOrmModule.forFeature([BerthSchema])], controllers: [BerthsController] })
export class BerthsModule {}

/** As in `test/modules/<module>.ts`. */
export const berthsFacts: ModuleFacts = {
  rules: { countNightsOfBerth: ({ from, to }) => from! <= to! },
};
