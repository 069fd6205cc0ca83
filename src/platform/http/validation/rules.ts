import { getMetadataStorage } from 'class-validator';

/**
 * The fields of a class that have a rule of class-validator, including inherited ones; only rules of this type, one of
 * `ValidationTypes`, or of this name, if `kind` is given. class-validator exports its metadata storage for tools such as class-validator-jsonschema
 * but does not document it, so it is used nowhere else (docs/decisions/0071-class-validator.md).
 */
export function fieldsWithRules(shape: object, kind?: string): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(
    shape as new () => object,
    '',
    false,
    false,
  );
  const wanted = rules.filter(({ type, name }) => kind === undefined || type === kind || name === kind);
  return new Set(wanted.map(({ propertyName }) => propertyName));
}
