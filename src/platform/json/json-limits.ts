/** What a JSON text may have at most, which RFC 8259 section 9 lets a parser bound, and which names its members may not have. */
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
 * The limits of what clients send. They bound the cost of all later processing. The names are refused because code may take such a
 * member for what every object inherits, and because Nest's `ValidationPipe` and class-transformer drop it in silence.
 */
export const BODY_LIMITS: JsonLimits = {
  values: 20_000,
  depth: 32,
  members: 1_000,
  refusedNames: ['__proto__', 'constructor', 'prototype'],
};

/** What the service has stored must stay readable. */
export const NO_LIMITS: JsonLimits = {
  values: Infinity,
  depth: Infinity,
  members: Infinity,
  refusedNames: [],
};
