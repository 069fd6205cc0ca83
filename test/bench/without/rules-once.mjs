import { validateSync } from 'class-validator';
import { checkShape as checkOnce } from '../../../dist/platform/http/validation/check-shape.js';
import { fieldsOf } from '../../../dist/platform/http/validation/fields-of.js';

/** class-validator looks up the rules for each object. */
export function checkShape(shape, data) {
  const { known } = fieldsOf(shape);
  const dto = new shape();
  for (const [field, value] of Object.entries(data)) {
    if (!known.has(field)) return checkOnce(shape, data);
    dto[field] = value;
  }
  const problems = validateSync(dto, { forbidUnknownValues: false }).flatMap(({ property, constraints }) =>
    Object.entries(constraints).map(([code, message]) => ({ field: property, code, message })),
  );
  return { dto, problems };
}
