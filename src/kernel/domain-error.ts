/** The kinds of errors, in terms that fit every domain. Only `platform/http` maps each kind to an HTTP status. */
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

/** One problem of one field. `field` is the name of the field, and `message` an English clause that follows it. */
export interface Problem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** The static members by which the class of an error describes itself. */
export interface DomainErrorClass {
  readonly prototype: DomainError;
  readonly kind: ErrorKind;
  /** The error code, for programs. It never changes, and no other class has it. */
  readonly code: string;
  /** What is wrong: a sentence. */
  readonly meaning: string;
  /** What a client can do about it: a sentence. */
  readonly remedy: string;
  /**
   * Whether the same request may succeed later; absent means no. `safely only` means yes for a GET, and for a request with an
   * Idempotency-Key.
   */
  readonly again?: 'yes' | 'safely only';
}

/**
 * A rejected domain operation. Its class has the static members of `DomainErrorClass`. A class whose errors never reach a client
 * needs only `kind` and `code`, if each error has a message of its own.
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

/** Input that breaks the rules of the domain. It lists every problem, not only the first. */
export class InvalidInput extends DomainError {
  static readonly kind = 'invalid';
  static readonly code = 'validation_failed';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
  }
}
