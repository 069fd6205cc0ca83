/** What went wrong, in terms that fit every domain. Only `platform/http` maps each kind to an HTTP status. */
export type ErrorKind =
  'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'gone' | 'unavailable';

/** What is wrong with a field. The list is part of the public contract (docs/api.md). */
export const PROBLEM_CODES = [
  'required',
  'unknown_field',
  'read_only_field',
  'invalid_type',
  'out_of_range',
  'too_short',
  'too_long',
  'blank',
  'control_character',
  'malformed_text',
  'invalid_enum_value',
  'invalid_format',
  'invalid_value',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** One problem of one field: `field` is its name, `message` an English clause that follows it. */
export interface Problem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** The statics by which the class of an error describes itself. */
export interface DomainErrorClass {
  readonly prototype: DomainError;
  readonly kind: ErrorKind;
  /** For programs; never changes, and no other class has it. */
  readonly code: string;
  /** What is wrong: a sentence. */
  readonly meaning: string;
  /** What a client can do about it: a sentence. */
  readonly remedy: string;
  /** Whether the same request may succeed later; absent: no. `safely only`: if it is a GET, or has an Idempotency-Key. */
  readonly again?: 'yes' | 'safely only';
}

/**
 * A domain operation that was rejected. Its class has the statics of `DomainErrorClass`; one that never reaches a client needs only
 * `kind` and `code`, if each error has a message of its own.
 */
export abstract class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;

  constructor(message?: string, options?: ErrorOptions) {
    const { kind, code, meaning, remedy } = new.target as unknown as DomainErrorClass;
    super(message ?? `${meaning} ${remedy}`, options);
    this.kind = kind;
    this.code = code;
  }
}

/** Input that breaks the rules of the domain; lists every problem, not only the first. */
export class InvalidInput extends DomainError {
  static readonly kind = 'invalid';
  static readonly code = 'validation_failed';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
  }
}
