import {
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import { Repository } from 'typeorm';
import { Int64 } from '../../../src/kernel/int64.js';
import { type Page, pageOf, type Selection } from '../../../src/kernel/page.js';
import { changeVersioned, deleteVersioned } from '../../../src/platform/database/queries/compare-and-set.js';
import { insertOnce } from '../../../src/platform/database/queries/insert-once.js';
import { keysetPage } from '../../../src/platform/database/queries/keyset-page.js';
import { Migrations } from '../../../src/platform/database/migrations/migrations.decorator.js';
import { Sequences } from '../../../src/platform/database/sequence/sequences.js';
import { Operation } from '../../../src/platform/http/document/operation.decorator.js';
import { Pager } from '../../../src/platform/http/paging/pager.js';
import { IfMatch, type Precondition } from '../../../src/platform/http/precondition.js';
import { ApiErrors } from '../../../src/platform/http/route.decorators.js';
import { type Changes, changesOf } from '../../../src/platform/http/validation/conversions.js';
import {
  AppointmentBody,
  AppointmentChangeBody,
  ListAppointmentsQuery,
  NewAppointmentBody,
  toAppointmentBody,
} from './appointment.dto.js';
import { Appointment, AppointmentSchema, CreateAppointments } from './appointment.js';

@Injectable()
class Appointments {
  constructor(
    @InjectRepository(Appointment) private readonly rows: Repository<Appointment>,
    private readonly sequences: Sequences,
  ) {}

  async list(selection: Selection<{ readonly petId?: Int64 }>): Promise<Page<Appointment>> {
    const query = this.rows.createQueryBuilder('appointment');
    return pageOf(await keysetPage(query, { ...selection, limit: selection.limit + 1 }), selection);
  }

  async add({ petId, kind, vet, dueAt }: NewAppointmentBody): Promise<Appointment> {
    const id = await this.sequences.of('appointments').next();
    const row = { id, petId: BigInt(petId), kind, vet, dueAt: dueAt ?? undefined, isPaid: false, version: 1 };
    await insertOnce(this.rows, row);
    return row;
  }

  async get(id: Int64 | undefined): Promise<Appointment> {
    return orNotFound(id === undefined ? null : await this.rows.findOneBy({ id }));
  }

  /** `check` throws if it is not what the client has seen. */
  async change(
    id: Int64 | undefined,
    changes: Changes<AppointmentChangeBody>,
    check: (found: Appointment) => void,
  ): Promise<Appointment> {
    const change = (found: Appointment) => {
      check(found);
      return Object.keys(changes).length === 0 ? found : ({ ...found, ...changes } as Appointment);
    };
    return orNotFound(id === undefined ? undefined : await changeVersioned(this.rows, id, change));
  }

  /** What is not there is deleted already. */
  async delete(id: Int64 | undefined, check: (found: Appointment) => void): Promise<void> {
    if (id === undefined) orNotFound(id);
    else await deleteVersioned(this.rows, id, check);
  }
}

function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === undefined || found === null) throw new NotFoundException('No such appointment.');
  return found;
}

@Controller('appointments')
class AppointmentsController {
  constructor(
    private readonly appointments: Appointments,
    private readonly pager: Pager,
  ) {}

  @Get()
  @ApiErrors('invalid_cursor')
  @Operation({
    name: 'listAppointments',
    summary: 'Lists appointments.',
    description: 'The next page is in the `Link` header.',
    success: {
      status: 200,
      description: 'The appointments.',
      body: AppointmentBody,
      listName: 'Appointments',
      headers: { Link: { description: 'The `next` page and the `first`.', required: true } },
    },
  })
  list(@Query() query: ListAppointmentsQuery, @Res({ passthrough: true }) response: Response) {
    const read = (selection: Selection<{ readonly petId?: Int64 }>) => this.appointments.list(selection);
    return this.pager.page(response, '/appointments', query, read, toAppointmentBody);
  }

  @Post()
  @Operation({
    name: 'createAppointment',
    summary: 'Makes an appointment.',
    description: 'It is not paid for.',
    success: { status: 201, description: 'It is made.', body: AppointmentBody },
  })
  async add(@Body() body: NewAppointmentBody) {
    return toAppointmentBody(await this.appointments.add(body));
  }

  @Get(':appointmentId')
  @ApiErrors('not_found')
  @Operation({
    name: 'getAppointment',
    summary: 'Returns an appointment.',
    description: 'By its id.',
    success: { status: 200, description: 'The appointment.', body: AppointmentBody },
  })
  async get(@Param('appointmentId') id: string) {
    return toAppointmentBody(await this.appointments.get(Int64.parse(id)));
  }

  @Patch(':appointmentId')
  @ApiErrors('not_found')
  @Operation({
    name: 'updateAppointment',
    summary: 'Changes an appointment.',
    description: 'A merge patch (RFC 7396): null removes, what is absent stays.',
    success: { status: 200, description: 'The appointment as it is now.', body: AppointmentBody },
  })
  async change(
    @Param('appointmentId') id: string,
    @Body() body: AppointmentChangeBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    const check = ifMatch(toAppointmentBody);
    return toAppointmentBody(await this.appointments.change(Int64.parse(id), changesOf(body), check));
  }

  @Delete(':appointmentId')
  @ApiErrors('not_found')
  @Operation({
    name: 'deleteAppointment',
    summary: 'Deletes an appointment.',
    description: 'Safe to send again: it is not there afterwards.',
    success: { status: 204, description: 'It is not there.' },
  })
  async delete(@Param('appointmentId') id: string, @IfMatch() ifMatch: Precondition): Promise<void> {
    await this.appointments.delete(Int64.parse(id), ifMatch(toAppointmentBody));
  }
}

/** A module that uses everything that the platform has for lists, changes and deletions. */
@Migrations(CreateAppointments)
@Module({
  imports: [TypeOrmModule.forFeature([AppointmentSchema])],
  controllers: [AppointmentsController],
  providers: [Appointments],
})
export class AppointmentsModule {}
