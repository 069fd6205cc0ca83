import type { Problem } from '../../kernel/domain-error.js';

/** A line of a file of animals: what it says, not judged in any way yet, or why nothing can be read from it. */
export type PetLine = { readonly number: number } & (
  { readonly data: object } | { readonly problems: readonly Problem[] }
);

/** A line that is not admitted, with everything that is wrong with it. */
export interface RefusedLine {
  readonly number: number;
  readonly problems: readonly Problem[];
}
