import type { Problem } from '../../kernel/domain-error.js';

/** A line of a file of pets: its data, not validated yet, or why it cannot be read. */
export type PetLine = { readonly number: number } & (
  { readonly data: object } | { readonly problems: readonly Problem[] }
);

/** A line that is refused, with all its problems. */
export interface RefusedLine {
  readonly number: number;
  readonly problems: readonly Problem[];
}
