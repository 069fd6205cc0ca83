import { checkShape, type Shape } from './check-shape.js';
import { policyOf } from './policy.decorator.js';

/** Holds a body against its shape, and asks its policy too if that is refused. @returns every problem, and the body as the DTO */
export function checkBody<Dto extends object>(
  shape: Shape<Dto>,
  data: object,
): ReturnType<typeof checkShape<Dto>> {
  const checked = checkShape(shape, data);
  if (checked.problems.length === 0) return checked;
  const misshapen = new Set(checked.problems.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(checked.dto).filter(([field]) => !misshapen.has(field)));
  return { dto: checked.dto, problems: [...checked.problems, ...policyOf(shape)(rest)] };
}
