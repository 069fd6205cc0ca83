import { instanceToPlain } from 'class-transformer';

/** The name of a field in JSON, which `@Expose({ name })` may have changed. A `@Transform` of the field gets only the name in the class. */
export function nameInJson(prototype: object, field: string): string {
  // class-transformer leaves null as it is, whatever type the field has.
  const instance: unknown = Object.create(prototype, { [field]: { value: null, enumerable: true } });
  try {
    const plain = instanceToPlain(instance, { exposeUnsetFields: false });
    return Object.keys(plain).find((name) => plain[name] === null) ?? field;
  } catch {
    // A `@Transform` or a getter of the class expects other values.
    return field;
  }
}
