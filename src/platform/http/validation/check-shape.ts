import { getMetadataStorage, validateSync } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import type { Problem, ProblemCode } from '../../../kernel/domain-error.js';

export type Shape<Dto extends object> = new () => Dto;

/** Holds plain data against the rules of a DTO. @returns every problem, and the data as the DTO */
export function checkShape<Dto extends object>(
  shape: Shape<Dto>,
  data: object,
): { dto: Dto; problems: Problem[] } {
  const known = fieldsOf(shape);
  const dto = new shape();
  const problems: Problem[] = [];
  // Only what has a rule gets into the DTO: a field named "constructor" would hide the rules from class-validator.
  for (const [field, value] of Object.entries(data)) {
    if (known.includes(field)) (dto as Record<string, unknown>)[field] = value;
    else problems.push({ field, code: 'unknown_field', message: `is not known; ${hint(field, known)}` });
  }
  for (const { property, constraints = {} } of validateSync(dto)) {
    for (const [code, message] of Object.entries(constraints)) {
      problems.push({ field: property, code: code as ProblemCode, message });
    }
  }
  return { dto, problems };
}

const fields = new WeakMap<Shape<object>, string[]>();

/** The fields of a DTO that have a rule. */
function fieldsOf(shape: Shape<object>): string[] {
  let names = fields.get(shape);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    names = [...new Set(rules.map(({ propertyName }) => propertyName))];
    fields.set(shape, names);
  }
  return names;
}

/** A likely slip of the hand gets a guess, anything else the list. */
function hint(name: string, known: string[]): string {
  const nearest = known.length > 0 ? closest(name, known) : '';
  const slip = distance(name, nearest) <= Math.max(1, nearest.length / 3);
  return slip ? `did you mean ${nearest}?` : `known are ${known.join(', ')}`;
}
