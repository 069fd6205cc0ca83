import { Body, Controller, Delete, Get, Injectable, Module, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema, In, type MigrationInterface, type QueryRunner, Repository } from 'typeorm';
import { DomainError, type Int64, type Page, pageOf, type Selection } from '../../../src/kernel/index.js';
import {
  BadConfiguration,
  moduleSettings,
  secret,
  secretFile,
  SettingsModule,
  url,
  type ValuesOf,
} from '../../../src/platform/config/index.js';
import {
  changeRow,
  columns,
  DuplicateKey,
  insertOnce,
  keysetPage,
  Migrations,
  Sequences,
} from '../../../src/platform/database/index.js';
import {
  EnumField,
  Id,
  IdField,
  ListOperation,
  Operation,
  Paged,
  PageQuery,
  type Paging,
  TextField,
} from '../../../src/platform/http/index.js';
import { Metrics } from '../../../src/platform/observability/index.js';
import { tableOf } from '../create-table.js';

// Journeys of pets between stations: lists that are more than a filter by equality, a metric of rows, and settings of a client. Shared tests
// add it to the service, so names of tables, paths and operations contain "journey", and a module of a team may be called stations.

export const JOURNEY_STATUSES = ['planned', 'on_the_way', 'arrived'] as const;
type JourneyStatus = (typeof JOURNEY_STATUSES)[number];

interface Station {
  readonly id: Int64;
  readonly name: string;
  /** What `keyOf` makes of the name, for searches. */
  readonly nameKey: string;
}

interface Journey {
  readonly id: Int64;
  readonly fromId: Int64;
  readonly toId: Int64;
  readonly status: JourneyStatus;
}

/** A link from a station to its partner, whose id is `id`, so that `keysetPage` lists the partners of a station. */
interface Partnership {
  readonly stationId: Int64;
  readonly id: Int64;
}

const MAX_NAME = 40;

/**
 * The text in which names are searched, without a difference of case. Upper case, because the lower case of a letter such as Σ depends
 * on the letters around it.
 */
export const keyOf = (name: string): string => name.normalize('NFC').toUpperCase();

/** No character becomes more characters in `keyOf`. */
export const MOST_OF_ONE = 3;

class StationNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'journey_station_not_found';
  static readonly meaning = 'No station has this id.';
  static readonly remedy = 'List the stations.';
}

class JourneyNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'journey_not_found';
  static readonly meaning = 'No journey has this id.';
  static readonly remedy = 'List the journeys.';
}

class SameStation extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'same_journey_station';
  static readonly meaning = 'Both stations are the same.';
  static readonly remedy = 'Name two stations.';
}

const StationSchema = new EntitySchema<Station>({
  name: 'JourneyStation',
  tableName: 'journey_stations',
  columns: {
    id: columns.int64({ primary: true }),
    name: columns.text(MAX_NAME),
    nameKey: columns.text(MOST_OF_ONE * MAX_NAME, { name: 'name_key' }),
  },
});

const PartnershipSchema = new EntitySchema<Partnership>({
  name: 'JourneyPartnership',
  tableName: 'journey_partnerships',
  columns: {
    id: columns.int64({ name: 'partner_id', primary: true }),
    stationId: columns.int64({ name: 'station_id', primary: true }),
  },
  indices: [{ name: 'journey_partnerships_of_station', columns: ['stationId', 'id'] }],
});

const JourneySchema = new EntitySchema<Journey>({
  name: 'Journey',
  tableName: 'journeys',
  columns: {
    id: columns.int64({ primary: true }),
    fromId: columns.int64({ name: 'from_id' }),
    toId: columns.int64({ name: 'to_id' }),
    status: columns.word(16),
  },
  indices: [
    { name: 'journeys_by_from', columns: ['fromId', 'id'] },
    { name: 'journeys_by_to', columns: ['toId', 'id'] },
    { name: 'journeys_by_status', columns: ['status', 'id'] },
    { name: 'journeys_by_from_and_status', columns: ['fromId', 'status', 'id'] },
    { name: 'journeys_by_to_and_status', columns: ['toId', 'status', 'id'] },
  ],
});

class CreateJourneys implements MigrationInterface {
  readonly name = 'CreateJourneys1795999999995';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(tableOf(runner, StationSchema));
    await runner.createTable(tableOf(runner, JourneySchema));
    await runner.createTable(tableOf(runner, PartnershipSchema));
    await runner.query(
      `INSERT INTO sequences (name, next_id) VALUES ('journey_stations', 1), ('journeys', 1)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['journey_partnerships', 'journeys', 'journey_stations'])
      await runner.dropTable(table);
    await runner.query(`DELETE FROM sequences WHERE name IN ('journey_stations', 'journeys')`);
  }
}

@Injectable()
class Stations {
  constructor(
    @InjectRepository(StationSchema) private readonly stations: Repository<Station>,
    @InjectRepository(PartnershipSchema) private readonly partnerships: Repository<Partnership>,
    private readonly sequences: Sequences,
  ) {}

  async add(name: string): Promise<Station> {
    const station = { id: await this.sequences.of('journey_stations').next(), name, nameKey: keyOf(name) };
    await insertOnce(this.stations, station);
    return station;
  }

  list({
    filter: { name, ...filter } = {},
    ...selection
  }: Selection<{ readonly name?: string }>): Promise<Page<Station>> {
    const query = this.stations.createQueryBuilder('station');
    if (name !== undefined) query.where('INSTR(station.nameKey, :part) > 0', { part: keyOf(name) });
    return keysetPage(query, { ...selection, filter });
  }

  /** @throws StationNotFound */
  async get(id: Int64): Promise<Station> {
    const station = await this.stations.findOneBy({ id });
    if (!station) throw new StationNotFound();
    return station;
  }

  async partnersOf(stationId: Int64, selection: Selection<object>): Promise<Page<Station>> {
    const query = this.partnerships.createQueryBuilder('partnership');
    const page = await keysetPage(query, { ...selection, filter: { stationId } });
    const ids = page.items.map(({ id }) => id);
    const found = await this.stations.findBy({ id: In(ids) });
    const partners = new Map(found.map((partner) => [partner.id, partner]));
    return { ...page, items: ids.flatMap((id) => partners.get(id) ?? []) };
  }

  /** Makes a station a partner, unless it is one already. @throws StationNotFound, SameStation */
  async join(stationId: Int64, partnerId: Int64): Promise<void> {
    for (const id of [stationId, partnerId]) await this.get(id);
    if (stationId === partnerId) throw new SameStation();
    try {
      await insertOnce(this.partnerships, { stationId, id: partnerId });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }

  async part(stationId: Int64, partnerId: Int64): Promise<void> {
    await this.partnerships.delete({ stationId, id: partnerId });
  }
}

type JourneySelection = Selection<{ readonly stationId?: Int64; readonly status?: JourneyStatus }>;

@Injectable()
class Journeys {
  constructor(
    @InjectRepository(JourneySchema) private readonly journeys: Repository<Journey>,
    private readonly sequences: Sequences,
  ) {}

  async add(fromId: Int64, toId: Int64): Promise<Journey> {
    const id = await this.sequences.of('journeys').next();
    const journey: Journey = { id, fromId, toId, status: 'planned' };
    await insertOnce(this.journeys, journey);
    return journey;
  }

  /** @throws JourneyNotFound */
  async move(id: Int64, status: JourneyStatus): Promise<Journey> {
    const moved = await changeRow(this.journeys, { id }, (journey) => ({ ...journey, status }));
    if (!moved) throw new JourneyNotFound();
    return moved;
  }

  async list({
    filter: { stationId, ...filter } = {},
    ...selection
  }: JourneySelection): Promise<Page<Journey>> {
    const read = (end: object, limit: number) =>
      keysetPage(this.journeys.createQueryBuilder('journey'), {
        ...selection,
        filter: { ...filter, ...end },
        limit,
      });
    if (stationId === undefined) return read({}, selection.limit);
    // One more than the page has, from each end, shows whether another page follows.
    const departures = await read({ fromId: stationId }, selection.limit + 1);
    const arrivals = await read({ toId: stationId }, selection.limit + 1);
    const found = new Map([...departures.items, ...arrivals.items].map((journey) => [journey.id, journey]));
    const newestFirst = [...found.values()].toSorted((one, other) => Number(other.id - one.id));
    return pageOf(newestFirst, selection);
  }

  count(status: JourneyStatus): Promise<number> {
    return this.journeys.countBy({ status });
  }
}

const NAME = {
  description: `The name of the station: 1 to ${MAX_NAME} code points, at least one of them visible.`,
  example: 'North Road',
};
const STATION = { description: 'Identifier of the station.', example: 1 };
const STATUS = { name: 'JourneyStatus', description: 'Where the journey stands.', example: 'planned' };

class ListStationsQuery extends PageQuery {
  @TextField({
    description:
      'Returns only stations whose name contains this text, in upper or lower case. It has code points, at least one of them visible.',
    example: 'road',
    minLength: 1,
    maxLength: MAX_NAME,
    optional: true,
  })
  name?: string;
}

class ListPartnersQuery extends PageQuery {}

class ListJourneysQuery extends PageQuery {
  @IdField({
    description: 'Returns only journeys from or to this station.',
    example: STATION.example,
    optional: true,
  })
  stationId?: Int64;

  @EnumField(JOURNEY_STATUSES, { ...STATUS, optional: true })
  status?: JourneyStatus;
}

@ApiSchema({ name: 'NewJourneyStation' })
class NewStationBody {
  @TextField({ ...NAME, minLength: 1, maxLength: MAX_NAME })
  name!: string;
}

@ApiSchema({ name: 'JourneyStation' })
class StationBody {
  @IdField(STATION)
  id!: Int64;

  @TextField(NAME)
  name!: string;
}

@ApiSchema({ name: 'NewJourney' })
class NewJourneyBody {
  @IdField(STATION)
  fromId!: Int64;

  @IdField(STATION)
  toId!: Int64;
}

@ApiSchema({ name: 'JourneyChange' })
class JourneyChangeBody {
  @EnumField(JOURNEY_STATUSES, STATUS)
  status!: JourneyStatus;
}

@ApiSchema({ name: 'Journey' })
class JourneyBody extends NewJourneyBody {
  @IdField({ description: 'Identifier of the journey.', example: 1 })
  id!: Int64;

  @EnumField(JOURNEY_STATUSES, STATUS)
  status!: JourneyStatus;
}

const toStationBody = ({ id, name }: Station): StationBody => ({ id, name });
const toJourneyBody = (journey: Journey): JourneyBody => ({ ...journey });

@Controller('journey-stations')
class StationsController {
  constructor(private readonly stations: Stations) {}

  @Get()
  @ListOperation('stations', { name: 'listJourneyStations', body: StationBody, listName: 'JourneyStations' })
  list(@Query() query: ListStationsQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.stations.list(selection), toStationBody);
  }

  @Post()
  @Operation({
    name: 'createJourneyStation',
    summary: 'Adds a station.',
    description: 'Its name need not be unique.',
    success: { status: 201, description: 'The station is added.', body: StationBody },
  })
  async add(@Body() { name }: NewStationBody) {
    return toStationBody(await this.stations.add(name));
  }

  @Get(':stationId/partners')
  @ListOperation('partners', {
    name: 'listJourneyPartners',
    errors: [StationNotFound],
    body: StationBody,
    listName: 'JourneyPartners',
  })
  partners(
    @Id('stationId', StationNotFound) id: Int64,
    @Query() query: ListPartnersQuery,
    @Paged() page: Paging,
  ) {
    return page(query, (selection) => this.stations.partnersOf(id, selection), toStationBody);
  }

  @Put(':stationId/partners/:partnerId')
  @Operation({
    name: 'addJourneyPartner',
    errors: [StationNotFound, SameStation],
    summary: 'Makes a station a partner of another one.',
    description: 'Safe to send again.',
    success: { status: 204, description: 'The station is a partner.' },
  })
  join(@Id('stationId', StationNotFound) id: Int64, @Id('partnerId', StationNotFound) partnerId: Int64) {
    return this.stations.join(id, partnerId);
  }

  @Delete(':stationId/partners/:partnerId')
  @Operation({
    name: 'removeJourneyPartner',
    errors: [StationNotFound],
    summary: 'Ends a partnership.',
    description: 'Safe to send again.',
    success: { status: 204, description: 'The station is not a partner.' },
  })
  part(@Id('stationId', StationNotFound) id: Int64, @Id('partnerId', StationNotFound) partnerId: Int64) {
    return this.stations.part(id, partnerId);
  }
}

@Controller('journeys')
class JourneysController {
  constructor(private readonly journeys: Journeys) {}

  @Get()
  @ListOperation('journeys', { name: 'listJourneys', body: JourneyBody, listName: 'Journeys' })
  list(@Query() query: ListJourneysQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.journeys.list(selection), toJourneyBody);
  }

  @Post()
  @Operation({
    name: 'createJourney',
    summary: 'Plans a journey.',
    description: 'It is `planned` at first.',
    success: { status: 201, description: 'The journey is planned.', body: JourneyBody },
  })
  async add(@Body() { fromId, toId }: NewJourneyBody) {
    return toJourneyBody(await this.journeys.add(fromId, toId));
  }

  @Patch(':journeyId')
  @Operation({
    name: 'updateJourney',
    errors: [JourneyNotFound],
    summary: 'Changes the status of a journey.',
    description: 'Any status may follow.',
    success: { status: 200, description: 'The journey as it is now.', body: JourneyBody },
  })
  async move(@Id('journeyId', JourneyNotFound) id: Int64, @Body() { status }: JourneyChangeBody) {
    return toJourneyBody(await this.journeys.move(id, status));
  }
}

const VARIABLES = {
  mapUrl: [
    'JOURNEYS_MAP_URL',
    url('https', 'http')({ default: 'https://maps.example/v1', desc: 'The URL of the maps.' }),
  ],
  mapToken: [
    'JOURNEYS_MAP_TOKEN',
    secret()({
      default: undefined,
      desc: 'The token for the maps. Without a value, the service shows no maps.',
    }),
  ],
  mapTokenFile: [
    'JOURNEYS_MAP_TOKEN_FILE',
    secretFile()({
      default: undefined,
      desc: 'A file that contains the token, for mounted secrets. Set only one of the two settings.',
    }),
  ],
} as const;

export class JourneySettings extends moduleSettings(VARIABLES) {
  constructor(values: ValuesOf<typeof VARIABLES>) {
    super(values);
    if (values.mapToken && values.mapTokenFile)
      throw new BadConfiguration(
        'JOURNEYS_MAP_TOKEN: is also set by JOURNEYS_MAP_TOKEN_FILE; keep one of the two',
      );
  }

  get token(): string | undefined {
    return this.mapToken ?? this.mapTokenFile;
  }
}

@Migrations(CreateJourneys)
@Module({
  imports: [
    TypeOrmModule.forFeature([StationSchema, PartnershipSchema, JourneySchema]),
    SettingsModule.forFeature(JourneySettings),
  ],
  controllers: [StationsController, JourneysController],
  providers: [Stations, Journeys],
})
export class JourneysModule {
  constructor(metrics: Metrics, journeys: Journeys) {
    metrics.queriedGauge(
      'petstore_journeys',
      'Journeys, by status. Each replica reports all of them.',
      async (gauge) => {
        for (const status of JOURNEY_STATUSES) gauge.set({ status }, await journeys.count(status));
      },
      { labelNames: ['status'] },
    );
  }
}
