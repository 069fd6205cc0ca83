import fc from 'fast-check';
import type { Schema, Values } from './arbitraries.js';
import { fittingOf } from './bodies.js';
import type { Fits } from './judge.js';

/** A part of a form. A part with a file name is a file. */
interface Part {
  readonly name: string;
  readonly content: string;
  readonly fileName?: string;
}

/** The body of an upload (`multipart/form-data`, RFC 7578). */
export class Form {
  /** `isCut` says whether the end of the form is missing. */
  constructor(
    readonly parts: readonly Part[],
    readonly isCut = false,
  ) {}

  /** The texts, by the names of their parts. */
  get texts(): Readonly<Record<string, string>> {
    const texts = this.parts.filter(({ fileName }) => fileName === undefined);
    return Object.fromEntries(texts.map(({ name, content }) => [name, content]));
  }

  async encode(): Promise<{ type: string; bytes: Buffer }> {
    const form = new FormData();
    for (const { name, content, fileName } of this.parts)
      if (fileName === undefined) form.append(name, content);
      else form.append(name, new Blob([content]), fileName);
    const encoded = new Response(form);
    const bytes = Buffer.from(await encoded.arrayBuffer());
    const type = encoded.headers.get('content-type')!;
    return { type, bytes: this.isCut ? bytes.subarray(0, -10) : bytes };
  }

  /** Whether a form with this schema has all parts that it must have, no others, and each once. A schema does not say what a file contains. */
  fits(values: Values, fits: Fits, unresolved: Schema): boolean {
    const schema = values.resolve(unresolved);
    const { properties = {}, required = [] } = schema;
    const names = this.parts.map(({ name }) => name);
    const isPart = ({ name, content, fileName }: Part) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!field) return fileName === undefined && schema.additionalProperties !== false;
      return isFile(values, field) ? fileName !== undefined : fileName === undefined && fits(field, content);
    };
    return (
      !this.isCut &&
      required.every((name) => names.includes(name)) &&
      new Set(names).size === names.length &&
      this.parts.every(isPart)
    );
  }
}

const isFile = (values: Values, field: Schema) => values.resolve(field).format === 'binary';

/** A form that an operation accepts. Its files have the content of the example. */
export function fittingForm(values: Values, fits: Fits, unresolved: Schema): Form {
  const { properties = {} } = values.resolve(unresolved);
  const parts = Object.entries(properties).map(([name, field]) => ({
    name,
    content: String(fittingOf(values, fits, field)),
    ...(isFile(values, field) && { fileName: 'file' }),
  }));
  if (parts.length === 0)
    throw new Error('The form has no parts. Describe each part in the class of its @Body().');
  return new Form(parts);
}

/** A valid form, or one with a part that is missing, repeated, changed or not known, or one that ends too early. */
export function formOf(values: Values, fits: Fits, unresolved: Schema): fc.Arbitrary<Form> {
  const { parts } = fittingForm(values, fits, unresolved);
  const index = fc.nat(parts.length - 1);
  const content = fc.oneof(
    fc.constantFrom('', ' ', 'a\u0000b', 'x'.repeat(300), '🐶'.repeat(300), '%PDF-1.7', 'null', '7'),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  const fileName = fc.constantFrom(undefined, 'file', 'a"b.txt', '日本.pdf', '../x');
  const made = (content: string, name: string, file: string | undefined): Part => ({
    name,
    content,
    ...(file !== undefined && { fileName: file }),
  });
  const missing = index.map((i) => new Form(parts.toSpliced(i, 1)));
  const repeated = index.map((i) => new Form([...parts, parts[i]!]));
  const filled = fc.tuple(index, content).map(([i, text]) => {
    return new Form(parts.with(i, { ...parts[i]!, content: text }));
  });
  const other = fc.tuple(index, content, fileName).map(([i, text, file]) => {
    return new Form(parts.with(i, made(text, parts[i]!.name, file)));
  });
  const strange = fc.tuple(content, fc.constantFrom('colour', 'Name', 'id'), fileName).map((part) => {
    return new Form([...parts, made(...part)]);
  });
  const cut = fc.constant(new Form(parts, true));
  return fc.oneof(fc.constant(new Form(parts)), missing, repeated, filled, other, strange, cut);
}
