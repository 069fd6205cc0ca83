import { getMetadataStorage } from 'class-validator';

/**
 * The fields of a class, inherited ones too, that have a rule of class-validator; of a type of `ValidationTypes`, if one is
 * given. class-validator exports its storage for tools such as class-validator-jsonschema and does not document it, so
 * nothing else here asks it (docs/decisions/0071-class-validator.md).
 */
export function fieldsWithRules(shape: object, ofType?: string): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(
    shape as new () => object,
    '',
    false,
    false,
  );
  const wanted = rules.filter(({ type }) => ofType === undefined || type === ofType);
  return new Set(wanted.map(({ propertyName }) => propertyName));
}
