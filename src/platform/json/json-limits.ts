/** The limits of a JSON text, which a parser may set (RFC 8259 section 9), and the names that members must not have. */
export interface JsonLimits {
  /** Texts, numbers, objects, arrays, and the words `true`, `false` and `null`, all together. */
  readonly values: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** The members of one object. */
  readonly members: number;
  readonly refusedNames: readonly string[];
}

/**
 * The limits of JSON that clients send. They bound the cost of all later processing. The names are rejected because code may
 * confuse such a member with a property that every object inherits, and because Nest's `ValidationPipe` and class-transformer
 * silently drop it.
 */
export const BODY_LIMITS: JsonLimits = {
  values: 20_000,
  depth: 32,
  members: 1_000,
  refusedNames: ['__proto__', 'constructor', 'prototype'],
};

/** For texts that the service has stored. They must stay readable. */
export const NO_LIMITS: JsonLimits = {
  values: Infinity,
  depth: Infinity,
  members: Infinity,
  refusedNames: [],
};
