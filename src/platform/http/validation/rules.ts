import { getMetadataStorage, ValidationTypes } from 'class-validator';

/** A field with `@ValidateNested()`. */
interface NestedField {
  readonly name: string;
  /** Whether it is declared as an array; undefined if the declaration does not tell. */
  readonly isArray: boolean | undefined;
  /** Whether its conditions hold, such as that it was sent. */
  readonly isValidated: (dto: object) => boolean;
}

/** What class-validator's rules say of the fields of a class. */
export interface Rules {
  readonly fields: ReadonlySet<string>;
  /** Those that a client may send, in alphabetical order. */
  readonly known: readonly string[];
  readonly int64s: ReadonlySet<string>;
  readonly nested: readonly NestedField[];
}

/** Declared types that do not tell whether a value is an array. */
const OPEN: readonly unknown[] = [undefined, Object, Map, Set];

/** The rules of a class and of those that it extends. class-validator exports its storage for tools; Nest's pipe reads it, too. */
export function rulesOf(dto: Function): Rules {
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const having = (kind?: string) => {
    const wanted = all.filter(({ type, name }) => kind === undefined || kind === type || kind === name);
    return new Set(wanted.map(({ propertyName }) => propertyName));
  };
  const nested = [...having(ValidationTypes.NESTED_VALIDATION)].map((name): NestedField => {
    const declared: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
    const conditions = all.filter(
      ({ type, propertyName }) => type === ValidationTypes.CONDITIONAL_VALIDATION && propertyName === name,
    );
    return {
      name,
      isArray: OPEN.includes(declared) ? undefined : declared === Array,
      isValidated: (made) =>
        conditions.every(({ constraints: [holds] }: { constraints: Condition[] }) =>
          holds!(made, made[name as keyof typeof made]),
        ),
    };
  });
  const fields = having();
  const readOnly = having('isReadOnly');
  const known = [...fields].filter((name) => !readOnly.has(name)).toSorted();
  return { fields, known, int64s: having('isInt64'), nested };
}

type Condition = (made: object, value: unknown) => boolean;
