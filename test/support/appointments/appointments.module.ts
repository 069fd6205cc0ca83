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
  Req,
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Request } from 'express';
import { In, Repository } from 'typeorm';
import { hasValues, Int64, type Page, type Selection, UnitOfWork } from '../../../src/kernel/index.js';
import {
  changeRow,
  forUpdate,
  insertOnce,
  keysetPage,
  Migrations,
  Sequences,
} from '../../../src/platform/database/index.js';
import {
  callerMay,
  type Changes,
  changesOf,
  IfMatch,
  ListOperation,
  Operation,
  Paged,
  type Paging,
  type Precondition,
  Scopes,
} from '../../../src/platform/http/index.js';
import {
  AGENDA_LIST,
  AgendaItemBody,
  APPOINTMENT_LIST,
  AppointmentBody,
  AppointmentChangeBody,
  DayBody,
  DayQuery,
  ListAgendaQuery,
  ListAppointmentsQuery,
  NewAppointmentBody,
  NewPaymentBody,
  PaymentBody,
  toAgendaItemBody,
  toAppointmentBody,
} from './appointment.dto.js';
import { type AgendaItem, Appointment, AppointmentSchema, CreateAppointments } from './appointment.js';

type AppointmentSelection = Selection<{ readonly petId?: Int64 }>;

const DAY_MS = 86_400_000;

@Injectable()
class Appointments {
  constructor(
    @InjectRepository(Appointment) private readonly rows: Repository<Appointment>,
    private readonly sequences: Sequences,
    private readonly units: UnitOfWork,
  ) {}

  list(selection: AppointmentSelection): Promise<Page<Appointment>> {
    return keysetPage(this.rows.createQueryBuilder('appointment'), selection);
  }

  /** The same list joined with the pets, which are in another module's table. */
  async agenda(selection: AppointmentSelection): Promise<Page<AgendaItem>> {
    const query = this.rows
      .createQueryBuilder('appointment')
      .leftJoinAndMapOne('appointment.pet', 'Pet', 'pet', 'pet.id = appointment.petId');
    return (await keysetPage(query, selection)) as Page<AgendaItem>;
  }

  async ofDay(day: string): Promise<readonly Appointment[]> {
    const from = new Date(day);
    const range = { from, before: new Date(from.getTime() + DAY_MS) };
    return (await this.list({ sort: { by: 'dueAt', descending: false }, range, limit: 100 })).items;
  }

  /** Pays for all unpaid appointments of a pet, each once, however many callers try. @returns how many it paid for */
  pay(petId: Int64): Promise<number> {
    return this.units.run(async () => {
      const query = this.rows.createQueryBuilder('appointment').where({ petId, isPaid: false });
      const open = await forUpdate(query).orderBy('appointment.id').getMany();
      const paid = { isPaid: true, version: () => 'version + 1' };
      await this.rows.update({ id: In(open.map(({ id }) => id)) }, paid);
      return open.length;
    });
  }

  async add({ petId, kind, vet, dueAt }: NewAppointmentBody): Promise<Appointment> {
    const id = await this.sequences.of('appointments').next();
    const row = { id, petId, kind, vet, dueAt: dueAt ?? undefined, isPaid: false, version: 1 };
    await insertOnce(this.rows, row);
    return row;
  }

  async get(id: Int64 | undefined): Promise<Appointment> {
    return orNotFound(id === undefined ? null : await this.rows.findOneBy({ id }));
  }

  /** `check` throws if the appointment does not meet the client's precondition (`If-Match`), unless it has these values already. */
  async change(
    id: Int64 | undefined,
    changes: Changes<AppointmentChangeBody>,
    check: (found: Appointment) => void,
  ): Promise<Appointment> {
    const change = (found: Appointment) => {
      if (hasValues(found, changes)) return found;
      check(found);
      return { ...found, ...changes, version: found.version + 1 } as Appointment;
    };
    return orNotFound(id === undefined ? undefined : await changeRow(this.rows, { id }, change, ['version']));
  }

  /** An appointment that does not exist counts as deleted. */
  async delete(id: Int64 | undefined, check: (found: Appointment) => void): Promise<void> {
    if (id === undefined) orNotFound(id);
    else await changeRow(this.rows, { id }, (found) => void check(found), ['version']);
  }
}

function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === undefined || found === null) throw new NotFoundException('No such appointment.');
  return found;
}

@Controller('appointments')
class AppointmentsController {
  constructor(private readonly appointments: Appointments) {}

  @Get()
  @ListOperation('appointments', {
    name: 'listAppointments',
    scope: 'appointments:read',
    body: AppointmentBody,
    listName: 'Appointments',
  })
  list(@Query() query: ListAppointmentsQuery, @Paged() page: Paging) {
    const read = (selection: AppointmentSelection) => this.appointments.list(selection);
    return page(query, read, toAppointmentBody, APPOINTMENT_LIST);
  }

  @Get('agenda')
  @ListOperation('appointments with their animals', {
    name: 'listAgenda',
    scope: 'appointments:read',
    body: AgendaItemBody,
    listName: 'Agenda',
  })
  agenda(@Query() query: ListAgendaQuery, @Paged() page: Paging) {
    const { appointments } = this;
    const read = (selection: AppointmentSelection) =>
      query.withNames ? appointments.agenda(selection) : appointments.list(selection);
    return page(query, read, toAgendaItemBody, AGENDA_LIST);
  }

  @Get('day')
  @Operation({
    name: 'getAppointmentsOfDay',
    scope: 'appointments:read',
    summary: 'Says which appointments are due on a day.',
    description: 'Who looks is told to all, notes to those who may `appointments:admin`.',
    success: { status: 200, description: 'The appointments.', body: DayBody },
  })
  async ofDay(@Query() { day, isBrief }: DayQuery, @Req() request: Request): Promise<DayBody> {
    const due = await this.appointments.ofDay(day);
    if (isBrief) return { count: due.length };
    const mayKnow = callerMay(request, 'appointments:admin');
    const told = due.map(({ note, ...rest }) => toAppointmentBody(mayKnow ? { ...rest, note } : rest));
    return { count: due.length, appointments: told };
  }

  @Post('payments')
  @Operation({
    name: 'payAppointments',
    scope: 'appointments:write',
    summary: 'Pays for all appointments of an animal.',
    description: 'Those that are paid for already are not paid for again.',
    success: { status: 201, description: 'They are paid for.', body: PaymentBody },
  })
  async pay(@Body() { petId }: NewPaymentBody): Promise<PaymentBody> {
    return { appointments: await this.appointments.pay(petId) };
  }

  @Post()
  @Operation({
    name: 'createAppointment',
    scope: 'appointments:write',
    summary: 'Makes an appointment.',
    description: 'It is not paid for.',
    success: { status: 201, description: 'It is made.', body: AppointmentBody },
  })
  async add(@Body() body: NewAppointmentBody) {
    return toAppointmentBody(await this.appointments.add(body));
  }

  @Get(':appointmentId')
  @Operation({
    name: 'getAppointment',
    scope: 'appointments:read',
    errors: ['not_found'],
    summary: 'Returns an appointment.',
    description: 'By its id.',
    success: { status: 200, description: 'The appointment.', body: AppointmentBody },
  })
  async get(@Param('appointmentId') id: string) {
    return toAppointmentBody(await this.appointments.get(Int64.parse(id)));
  }

  @Patch(':appointmentId')
  @Operation({
    name: 'updateAppointment',
    scope: 'appointments:write',
    errors: ['not_found'],
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
  @Operation({
    name: 'deleteAppointment',
    scope: 'appointments:write',
    errors: ['not_found'],
    summary: 'Deletes an appointment.',
    description: 'Safe to send again: it is not there afterwards.',
    success: { status: 204, description: 'It is not there.' },
  })
  async delete(@Param('appointmentId') id: string, @IfMatch() ifMatch: Precondition): Promise<void> {
    await this.appointments.delete(Int64.parse(id), ifMatch(toAppointmentBody));
  }
}

/** A module that uses everything that the platform offers for lists, changes and deletions. */
@Scopes('appointments:admin')
@Migrations(CreateAppointments)
@Module({
  imports: [TypeOrmModule.forFeature([AppointmentSchema])],
  controllers: [AppointmentsController],
  providers: [Appointments],
})
export class AppointmentsModule {}
