import { getMetadataStorage, validateSync } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { Problem, ProblemCode } from '../../../kernel/domain-error.js';

/** So many fields that we do not know are named; nobody needs thousands. */
const MOST_UNKNOWN = 100;
const READ_ONLY: ProblemCode = 'read_only_field';

export type Shape<Dto extends object> = new () => Dto;

/** Holds plain data against the rules of a DTO. @returns every problem, and the data as the DTO */
export function checkShape<Dto extends object>(
  shape: Shape<Dto>,
  data: object,
): { dto: Dto; problems: Problem[] } {
  const { known, offered } = fieldsOf(shape);
  const dto = new shape();
  const problems: Problem[] = [];
  // Only what has a rule gets into the DTO: a field named "constructor" would hide the rules from class-validator.
  for (const [field, value] of Object.entries(data)) {
    if (known.includes(field)) (dto as Record<string, unknown>)[field] = value;
    else if (problems.length < MOST_UNKNOWN)
      problems.push({ field, code: 'unknown_field', message: `is not known; ${hint(field, offered)}` });
  }
  for (const { property, constraints = {} } of validateSync(dto, { forbidUnknownValues: false })) {
    for (const [code, message] of Object.entries(constraints)) {
      problems.push({ field: property, code: code as ProblemCode, message });
    }
  }
  return { dto, problems };
}

interface Fields {
  readonly known: readonly string[];
  /** Those that a client may send. */
  readonly offered: readonly string[];
}

const fields = new WeakMap<Shape<object>, Fields>();

/** The fields of a DTO that have a rule. */
function fieldsOf(shape: Shape<object>): Fields {
  let found = fields.get(shape);
  if (!found) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    const known = new Set(rules.map(({ propertyName }) => propertyName));
    const offered = new Set(known);
    for (const { name, propertyName } of rules) if (name === READ_ONLY) offered.delete(propertyName);
    found = { known: [...known], offered: [...offered].sort() };
    fields.set(shape, found);
  }
  return found;
}

/** A likely slip of the hand gets a guess, anything else the list. */
function hint(name: string, offered: readonly string[]): string {
  const nearest = offered.length > 0 ? closest(name, offered) : '';
  const slip = distance(name, nearest) <= Math.max(1, nearest.length / 3);
  return slip ? `did you mean ${nearest}` : `known are ${offered.join(', ')}`;
}
