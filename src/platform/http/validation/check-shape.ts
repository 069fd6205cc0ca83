import { closest, distance } from 'fastest-levenshtein';
import type { Problem } from '../../../kernel/domain-error.js';
import { type Fields, fieldsOf } from './fields-of.js';

/** So many fields that we do not know are named; nobody needs thousands. */
const MOST_UNKNOWN = 100;

export type Shape<Dto extends object> = new () => Dto;

/** Holds plain data against the rules of a DTO. @returns every problem, and the data as the DTO */
export function checkShape<Dto extends object>(
  shape: Shape<Dto>,
  data: object,
): { dto: Dto; problems: Problem[] } {
  const fields = fieldsOf(shape);
  const dto = new shape();
  const values = dto as Record<string, unknown>;
  const problems: Problem[] = [];
  // Only what has a rule gets into the DTO: a field named "constructor" would be taken for something else.
  for (const [field, value] of Object.entries(data)) {
    if (fields.known.has(field)) values[field] = value;
    else if (problems.length < MOST_UNKNOWN) problems.push(unknown(field, fields));
  }
  for (const [field, { isAsked, rules }] of fields.known) {
    const value = values[field];
    if (!isAsked(dto, value)) continue;
    for (const { code, message, holds } of rules) {
      if (!holds(value)) problems.push({ field, code, message });
    }
  }
  return { dto, problems };
}

/** A likely slip of the hand gets a guess, anything else the list. */
function unknown(field: string, { offered }: Fields): Problem {
  const nearest = offered.length > 0 ? closest(field, offered) : '';
  const slip = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  const hint = slip ? `did you mean ${nearest}` : `known are ${offered.join(', ')}`;
  return { field, code: 'unknown_field', message: `is not known; ${hint}` };
}
