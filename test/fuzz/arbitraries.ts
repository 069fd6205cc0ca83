import fc from 'fast-check';

/** The part of OpenAPI 3.1 that the document uses. */
export interface Schema {
  readonly $ref?: string;
  /** How the document adds a description to a reference. */
  readonly allOf?: readonly Schema[];
  /** How the document says that a reference may be null. */
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** One type, or one type and `null`. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly not?: Schema;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly example?: unknown;
  readonly description?: string;
}
/** A schema of one type, without references. */
type Resolved = Omit<Schema, 'type'> & { readonly type?: string };
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly description?: string;
}
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
        readonly headers?: object;
      }
    >
  >;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n];
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Generates valid values for the schemas of one document. */
export class Values {
  constructor(private readonly document: Document) {}

  /** The referenced schema, with one type; `mayBeNull` tells whether null is valid as well. */
  resolve(schema: Schema): Resolved {
    if (schema.allOf) return this.resolve(schema.allOf[0]!);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.resolve(choices.find(({ type }) => type !== 'null')!);
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return this.resolve(this.document.components.schemas[name]!);
    const { type: types, enum: words, ...rest } = schema;
    const type = typeof types === 'object' ? types.find((one) => one !== 'null') : types;
    const known = words?.filter((word) => word !== null);
    return { ...rest, ...(type !== undefined && { type }), ...(known && { enum: known }) };
  }

  mayBeNull(schema: Schema): boolean {
    const types = typeof schema.type === 'object' ? schema.type : [schema.type];
    const choices = schema.anyOf ?? schema.oneOf ?? [];
    return types.includes('null') || choices.some((choice) => this.mayBeNull(choice));
  }

  /** A value that is valid for the schema. */
  fitting(unresolved: Schema): fc.Arbitrary<unknown> {
    const value = this.#fittingValue(this.resolve(unresolved));
    return this.mayBeNull(unresolved) ? fc.option(value) : value;
  }

  #fittingValue(schema: Resolved): fc.Arbitrary<unknown> {
    const { format, properties = {}, required = [] } = schema;
    if (schema.enum) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'integer':
      case 'number':
        return this.#integer(schema).map(Number);
      case 'object':
        return fc.record(
          Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.fitting(one)])),
          { requiredKeys: [...required] },
        );
      case 'boolean':
        return fc.boolean();
      case 'array':
        return this.#list(schema);
      default:
        if (format === 'date-time') return instant();
        return format === 'date' ? day() : this.#text(schema);
    }
  }

  #list({ items, minItems = 0, maxItems = 3, uniqueItems = false }: Schema): fc.Arbitrary<unknown[]> {
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, 3) };
    return uniqueItems
      ? fc.uniqueArray(this.fitting(items!), bounds)
      : fc.array(this.fitting(items!), bounds);
  }

  #integer({ format, minimum, maximum }: Schema): fc.Arbitrary<bigint> {
    // Other numbers are numbers of JavaScript.
    const [least, most] = format === 'int64' ? [MIN, MAX] : [-SAFE, SAFE];
    const min = minimum === undefined ? least : BigInt(minimum);
    const max = maximum === undefined ? most : BigInt(maximum);
    const any = fc.bigInt({ min, max });
    if (format !== 'int64') return any;
    // Small integers are ids of existing items.
    const small = fc.bigInt({ min: min > 0n ? min : 0n, max: max < 50n ? max : 50n });
    return fc.oneof(any, fc.constantFrom(min, max), small);
  }

  /** Has a visible character, as the description of a name requires; the rest is anything but control characters. */
  #text({ minLength = 0, maxLength = 255, pattern, example }: Schema): fc.Arbitrary<string> {
    // Made-up texts do not match other patterns, such as a day.
    if (pattern !== undefined && pattern !== NO_CONTROLS && typeof example === 'string')
      return fc.constant(example);
    const visible = fc.constantFrom(...'aZ9é犬🐶');
    const rest = fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) });
    return fc
      .tuple(rest, visible, rest)
      .map((parts) => parts.join('').replaceAll(/\p{Cc}/gu, ''))
      .map((text) => text + 'x'.repeat(Math.max(0, minLength - [...text].length)))
      .filter((text) => [...text].length <= maxLength);
  }
}

/** The pattern of each text for people. */
const NO_CONTROLS = String.raw`^[^\x00-\x1f\x7f-\x9f]*$`;

/** RFC 3339, with the kinds of offset and precision that a client may send; years that JavaScript and both engines support. */
function instant(): fc.Arbitrary<string> {
  const range = { min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true };
  const offset = fc.constantFrom('Z', 'z', '+02:00', '-11:30', '+00:00');
  return fc.tuple(fc.date(range), fc.constantFrom(19, 23), offset).map(([date, length, zone]) => {
    return date.toISOString().slice(0, length) + zone;
  });
}

/** Calendar days that a column of each engine holds. */
function day(): fc.Arbitrary<string> {
  const range = { min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  return fc.date(range).map((date) => date.toISOString().slice(0, 10));
}
