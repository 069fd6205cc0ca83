import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsISO8601, Matches } from 'class-validator';
import type { Int64 } from '../../../src/kernel/index.js';
import {
  BooleanField,
  EnumField,
  InstantField,
  Int64Field,
  IntegerField,
  type ListOptions,
  PageQuery,
  SortField,
  TextField,
} from '../../../src/platform/http/index.js';
import { type AgendaItem, type Appointment, type Kind, KINDS, type Reason, REASONS } from './appointment.js';

const KIND = { name: 'AppointmentKind', description: 'What it is for.', example: 'check' };
const DUE = { description: 'When it is due; absent: not yet decided.', example: '2026-11-20T12:00:00.000Z' };
const PET = { description: 'Identifier of the animal.', example: 42 };
const NOTE = {
  description: 'What else there is to say, in any code points but controls.',
  example: 'Bites.',
};
const REASON = { name: 'AppointmentReason', description: 'Why.', example: 'travel' };
const PRICE = { description: 'What it costs, in cents.', example: 4200 };
const VET = { description: 'Who looks at the animal: code points, one of them visible.', example: 'Ada' };

@ApiSchema({ name: 'NewAppointment' })
export class NewAppointmentBody {
  @Int64Field(PET)
  petId!: Int64;

  @EnumField(KINDS, KIND)
  kind!: Kind;

  @TextField({ ...VET, minLength: 1, maxLength: 40 })
  vet!: string;

  @InstantField({ ...DUE, nullable: true })
  dueAt?: Date | null;
}

/** A merge patch: null removes a nullable property. */
@ApiSchema({ name: 'AppointmentChange' })
export class AppointmentChangeBody {
  @TextField({ ...VET, minLength: 1, maxLength: 40, optional: true })
  vet?: string;

  @InstantField({ ...DUE, nullable: true })
  dueAt?: Date | null;

  @BooleanField({ description: 'Whether it is paid for.', example: true, optional: true })
  isPaid?: boolean;

  @TextField({ ...NOTE, maxLength: 40, nullable: true })
  note?: string | null;

  @EnumField(REASONS, { ...REASON, nullable: true })
  reason?: Reason | null;

  @Int64Field({ ...PRICE, nullable: true })
  price?: Int64 | null;
}

@ApiSchema({ name: 'Appointment' })
export class AppointmentBody {
  @Int64Field({ description: 'Identifier of the appointment.', example: 7 })
  id!: Int64;

  @Int64Field(PET)
  petId!: Int64;

  @EnumField(KINDS, KIND)
  kind!: Kind;

  @TextField(VET)
  vet!: string;

  @InstantField({ ...DUE, optional: true })
  dueAt?: Date;

  @BooleanField({ description: 'Whether it is paid for.', example: false })
  isPaid!: boolean;

  @TextField({ ...NOTE, optional: true })
  note?: string;

  @EnumField(REASONS, { ...REASON, optional: true })
  reason?: Reason;

  @Int64Field({ ...PRICE, optional: true })
  price?: Int64;

  @TextField({ description: 'The ticket that was given for it.', example: 'A17', optional: true })
  ticket?: string;

  @Int64Field({ description: 'The appointment that it follows.', example: 6, optional: true })
  followsId?: Int64;
}

/** An appointment with the name of its pet, from another module's table. */
@ApiSchema({ name: 'AgendaItem' })
export class AgendaItemBody extends AppointmentBody {
  @TextField({ description: "The animal's name, if it is in the catalogue.", example: 'Rex', optional: true })
  petName?: string;
}

@ApiSchema({ name: 'NewPayment' })
export class NewPaymentBody {
  @Int64Field(PET)
  petId!: Int64;
}

@ApiSchema({ name: 'Payment' })
export class PaymentBody {
  @Int64Field({ description: 'How many appointments were paid for.', example: 2 })
  appointments!: number;
}

/** The orders and the ranges of the list of appointments. */
export const APPOINTMENT_LIST = {
  sort: { dueAt: 'instant', vet: 'text', kind: 'word', petId: 'int64' },
  ranges: { dueAt: { from: 'dueFrom', before: 'dueBefore' } },
} satisfies ListOptions<ListAppointmentsQuery>;

export class ListAppointmentsQuery extends PageQuery {
  @Int64Field({ ...PET, optional: true })
  petId?: Int64;

  @InstantField({ description: 'Due at this instant or later.', example: DUE.example, optional: true })
  dueFrom?: Date;

  @InstantField({ description: 'Due before this instant.', example: DUE.example, optional: true })
  dueBefore?: Date;

  @SortField(APPOINTMENT_LIST.sort)
  sort?: string;
}

/** As the list of appointments; the handler reads `withNames`. */
export const AGENDA_LIST = {
  ...APPOINTMENT_LIST,
  notFilters: ['withNames'],
} satisfies ListOptions<ListAgendaQuery>;

export class ListAgendaQuery extends ListAppointmentsQuery {
  @BooleanField({ description: 'Whether to name the animals.', example: true })
  withNames!: boolean;
}

/** A query without pages, so it does not extend `PageQuery`. */
export class DayQuery {
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  @IsISO8601({ strict: true })
  @ApiProperty({ format: 'date', description: 'The day, in UTC.', example: '2026-11-20' })
  day!: string;

  @BooleanField({ description: 'Only how many there are.', example: true, optional: true })
  isBrief?: boolean;
}

@ApiSchema({ name: 'AppointmentsOfDay' })
export class DayBody {
  @IntegerField({ description: 'How many are due on that day.', example: 1, min: 0, max: 100 })
  count!: number;

  @ApiProperty({ description: 'The first hundred of them.', type: [AppointmentBody], required: false })
  appointments?: AppointmentBody[];
}

/** Omits the version and undefined properties. */
export const toAppointmentBody = (appointment: Appointment): AppointmentBody =>
  Object.fromEntries(
    Object.entries(appointment).filter(([name, value]) => name !== 'version' && value !== undefined),
  ) as object as AppointmentBody;

export const toAgendaItemBody = ({
  pet,
  ...appointment
}: Appointment & Partial<AgendaItem>): AgendaItemBody => ({
  ...toAppointmentBody(appointment),
  ...(pet && { petName: pet.name }),
});
