import { Body, Controller, Get, Injectable, Module, Post, Query, Req } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Request } from 'express';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../../../src/kernel/index.js';
import { PetLocks, PetsModule } from '../../../src/pets/index.js';
import { insertOnce, Migrations, Sequences } from '../../../src/platform/database/index.js';
import { Metrics } from '../../../src/platform/observability/index.js';
import {
  callerMay,
  CreateOperation,
  Idempotent,
  Location,
  type Once,
  Operation,
  Scopes,
  type SetLocation,
} from '../../../src/platform/http/index.js';
import {
  CreateWalks,
  DayQuery,
  NewWalkBody,
  OverlappingWalk,
  UnknownPet,
  type Walk,
  WalkBody,
  WalkSchema,
  WalksOfDayBody,
} from './walk.js';

const DAY_MS = 86_400_000;

/** Who wants to know how many walks there are: a port. */
abstract class WalkCounter {
  abstract added(): void;
}

/** Its adapter, which would lie in `adapters/metrics`. */
@Injectable()
class MetricsWalkCounter extends WalkCounter {
  readonly #added: ReturnType<Metrics['counter']>;

  constructor(metrics: Metrics) {
    super();
    this.#added = metrics.counter('petstore_walks_added_total', 'Walks that were added.');
  }

  override added(): void {
    this.#added.inc();
  }
}

@Injectable()
class Walks {
  constructor(
    @InjectRepository(WalkSchema) private readonly rows: Repository<Walk>,
    private readonly pets: PetLocks,
    private readonly sequences: Sequences,
    private readonly units: UnitOfWork,
    private readonly counter: WalkCounter,
  ) {}

  /** @throws UnknownPet, OverlappingWalk */
  async add(wanted: Omit<Walk, 'id'>): Promise<Walk> {
    const walk = { ...wanted, id: await this.sequences.of('walks').next() };
    await this.units.run(async () => {
      if ((await this.pets.lock(walk.petId)) === undefined) throw new UnknownPet();
      if (await this.#overlaps(walk)) throw new OverlappingWalk();
      await insertOnce(this.rows, walk);
    });
    this.counter.added();
    return walk;
  }

  ofDay(day: string): Promise<[walks: Walk[], count: number]> {
    const begin = new Date(day);
    return this.rows
      .createQueryBuilder('walk')
      .where('walk.beginsAt >= :from AND walk.beginsAt < :before', {
        from: begin.getTime(),
        before: begin.getTime() + DAY_MS,
      })
      .orderBy('walk.beginsAt')
      .limit(100)
      .getManyAndCount();
  }

  #overlaps({ petId, beginsAt, endsAt }: Walk): Promise<boolean> {
    const times = { beginsAt: beginsAt.getTime(), endsAt: endsAt.getTime() };
    return this.rows
      .createQueryBuilder('walk')
      .where({ petId })
      .andWhere('walk.beginsAt < :endsAt AND walk.endsAt > :beginsAt', times)
      .getExists();
  }
}

@Controller('walks')
class WalksController {
  constructor(private readonly walks: Walks) {}

  @Post()
  @CreateOperation('walk', {
    name: 'createWalk',
    scope: 'walks:write',
    errors: [UnknownPet, OverlappingWalk],
    body: WalkBody,
  })
  add(
    @Body() { petId, minutes, beginsAt, walker }: NewWalkBody,
    @Idempotent() once: Once,
    @Location() setLocation: SetLocation,
  ) {
    return once(async () => {
      const endsAt = new Date(beginsAt.getTime() + minutes * 60_000);
      const walk = await this.walks.add({ petId: BigInt(petId), walker, beginsAt, endsAt });
      setLocation(walk.id);
      return walk;
    });
  }

  @Get('day')
  @Operation({
    name: 'getWalksOfDay',
    scope: 'walks:read',
    summary: 'Says which walks begin on a day.',
    description: 'Who walks is told to those who may `walks:admin`.',
    success: { status: 200, description: 'The walks.', body: WalksOfDayBody },
  })
  async ofDay(@Query() { day, isBrief }: DayQuery, @Req() request: Request): Promise<WalksOfDayBody> {
    const [walks, count] = await this.walks.ofDay(day);
    if (isBrief) return { count };
    const mayKnow = callerMay(request, 'walks:admin');
    return { count, walks: walks.map(({ walker, ...walk }) => ({ ...walk, ...(mayKnow && { walker }) })) };
  }
}

/** A module with a rule over several rows, a question that is no list, and a scope that no route requires. */
@Scopes('walks:admin')
@Migrations(CreateWalks)
@Module({
  imports: [PetsModule, TypeOrmModule.forFeature([WalkSchema])],
  controllers: [WalksController],
  providers: [Walks, { provide: WalkCounter, useClass: MetricsWalkCounter }],
})
export class WalksModule {}
