/** What a JSON text may have at most, which RFC 8259 section 9 lets a parser bound. */
export interface JsonLimits {
  /** Texts, numbers, objects, arrays, and the words `true`, `false` and `null`, all together. */
  readonly values: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** The members of one object. */
  readonly members: number;
}

/** The limits of what clients send. They bound the cost of all later processing. */
export const BODY_LIMITS: JsonLimits = { values: 20_000, depth: 32, members: 1_000 };
