import { type Int64, InvalidInput, type Problem, validateText } from '../../kernel/index.js';

export const VACCINATION_STATES = ['open', 'done', 'transferred'] as const;
export type VaccinationState = (typeof VACCINATION_STATES)[number];

/** The most characters of each text. */
export const MAX_VACCINATION_VACCINE = 255;

/** What a client wants to add. Its shape is checked, but not yet the policy. */
export interface NewVaccinationInput {
  readonly petId: Int64;
  readonly vaccine: string;
  readonly givenAt: Date;
  readonly dueAt?: Date;
  readonly state: VaccinationState;
}

/** A vaccination that the policy accepts. */
export class NewVaccination {
  private constructor(readonly props: NewVaccinationInput) {}

  /** Applies today's policy to an input. @throws InvalidInput */
  static from(input: NewVaccinationInput): NewVaccination {
    NewVaccination.check(input);
    return new NewVaccination(input);
  }

  /** Applies today's policy to the fields that are present. @throws InvalidInput */
  static check(input: Partial<NewVaccinationInput>): void {
    const problems = NewVaccination.validate(input);
    if (problems.length > 0) throw new InvalidInput(problems);
  }

  /** All problems that the policy finds in the fields that are present. */
  static validate(input: Partial<NewVaccinationInput>): Problem[] {
    return [...validateText('vaccine', input.vaccine, MAX_VACCINATION_VACCINE), ...validateDueAt(input)];
  }
}

function validateDueAt({ givenAt, dueAt }: Partial<NewVaccinationInput>): Problem[] {
  if (!givenAt || !dueAt || givenAt < dueAt) return [];
  return [{ field: 'dueAt', code: 'out_of_range', message: 'must be later than givenAt' }];
}
