import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document, Schema } from './arbitraries.js';

export type Fits = (schema: Schema, value: unknown) => boolean;

/** Judges values by schemas, which may refer to those of a document. */
export function judgeOf(document: Document): Fits {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // JSON.stringify writes the double -(2^63) with rounded digits, which are out of range.
  const isInt64 = (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  ajv.addFormat('int64', { type: 'number', validate: isInt64 });
  ajv.addSchema(document, 'openapi');
  const known = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const validate = known.get(text) ?? ajv.compile(JSON.parse(text) as object);
    known.set(text, validate);
    return validate(value);
  };
}
