/** What went wrong, in terms that fit every domain. Only `platform/http` maps each kind to an HTTP status. */
export type ErrorKind =
  'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'gone' | 'unavailable';

/** What is wrong with a field. The list is part of the public contract (docs/api.md). */
export type ProblemCode =
  | 'required'
  | 'unknown_field'
  | 'read_only_field'
  | 'invalid_type'
  | 'out_of_range'
  | 'too_short'
  | 'too_long'
  | 'blank'
  | 'control_character'
  | 'malformed_text'
  | 'invalid_enum_value'
  | 'invalid_format'
  | 'invalid_value';

/** One problem of one field: `field` is its name, `message` an English clause that follows it. */
export interface Problem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** A domain operation that was rejected. `code` is for programs; the message tells people what is wrong and what to do. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  abstract readonly code: string;
}

/** Input that breaks the rules of the domain; lists every problem, not only the first. */
export class InvalidInput extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
  }
}
