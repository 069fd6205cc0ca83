import fc from 'fast-check';

/** As much of OpenAPI 3.1 as the document uses. */
export interface Schema {
  readonly $ref?: string;
  /** How the document adds a description to a reference. */
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object }>> }>
  >;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Values that a schema admits, and values that it does not, for one document. */
export class Values {
  constructor(private readonly document: Document) {}

  resolve(schema: Schema): Schema {
    if (schema.allOf) return this.resolve(schema.allOf[0]!);
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : this.resolve(this.document.components.schemas[name]!);
  }

  /** A JSON text that fits. */
  fitting(unresolved: Schema): fc.Arbitrary<string> {
    const schema = this.resolve(unresolved);
    if (schema.enum) return fc.constantFrom(...schema.enum.map((word) => JSON.stringify(word)));
    switch (schema.type) {
      case 'integer':
        return this.#integer(schema).map(String);
      case 'object':
        return this.#object(schema);
      default:
        return this.#text(schema).map((text) => JSON.stringify(text));
    }
  }

  /** A JSON text that does not fit, whatever it is. */
  unfitting(unresolved: Schema): fc.Arbitrary<string> {
    const schema = this.resolve(unresolved);
    const wrongType = fc.constantFrom(
      'null',
      'true',
      '[]',
      '{}',
      ...(schema.type === 'integer' ? ['"7"', '7.5'] : ['7']),
    );
    if (schema.type === 'integer' && schema.format === 'int64') {
      return fc.oneof(wrongType, fc.bigInt({ min: MAX + 1n, max: MAX * 4n }).map(String));
    }
    if (schema.enum)
      return fc.oneof(
        wrongType,
        fc
          .string()
          .filter((word) => !schema.enum!.includes(word))
          .map(quote),
      );
    return fc.oneof(wrongType, fc.constantFrom('""', '"\\u0007"', '"\\ud800"', quote('x'.repeat(300))));
  }

  #integer({ format, minimum, maximum }: Schema): fc.Arbitrary<bigint> {
    const min = minimum === undefined ? MIN : BigInt(minimum);
    const max = maximum === undefined ? MAX : BigInt(maximum);
    const any = fc.bigInt({ min, max });
    return format === 'int64'
      ? fc.oneof(any, fc.constantFrom(min, max), fc.bigInt({ min: 0n, max: 50n }))
      : any;
  }

  /** A letter or digit somewhere, as the description of a name asks for; the rest may be anything but control characters. */
  #text({ maxLength = 255 }: Schema): fc.Arbitrary<string> {
    const visible = fc.constantFrom(...'aZ9é犬🐶');
    const rest = fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) });
    return fc
      .tuple(rest, visible, rest)
      .map((parts) => parts.join('').replaceAll(/\p{Cc}/gu, ''))
      .filter((text) => [...text].length <= maxLength);
  }

  #object({ properties = {}, required = [] }: Schema): fc.Arbitrary<string> {
    const members = Object.entries(properties).map(([name, schema]) => {
      const member = this.fitting(schema).map((value) => `${quote(name)}:${value}`);
      return required.includes(name) ? member : fc.option(member, { nil: '' });
    });
    return fc.tuple(...members).map((texts) => `{${texts.filter((text) => text !== '').join(',')}}`);
  }
}

export const quote = (text: string) => JSON.stringify(text);
