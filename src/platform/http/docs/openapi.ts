import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly 'application/json'?: {
    readonly schema?: Schema;
    /** The examples of an error, by code. */
    readonly examples?: Readonly<Record<string, unknown>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** Below the base address, with parameters in braces. */
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
  readonly 'x-scope'?: string;
  readonly 'x-stability'?: string;
}

export const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(resolved(item, document) as Record<string, Operation>)
      .filter(([, { operationId }]) => operationId)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** Replaces references by their targets, and merges `allOf`. */
function resolved(part: unknown, document: object, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document, within));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, allOf = [], ...own } = part as { $ref?: string; allOf?: unknown[] };
  const members = Object.entries(own).map(([name, value]) => [name, resolved(value, document, within)]);
  // A recursive reference is dropped.
  const target =
    $ref && !within.includes($ref) ? [resolved(at($ref, document), document, [...within, $ref])] : [];
  return Object.assign(
    {},
    ...target,
    ...(resolved(allOf, document, within) as object[]),
    Object.fromEntries(members),
  );
}

const at = (reference: string, document: object): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);

/** An example value for a schema, built from the examples of its parts. */
export function exampleOf(schema: Schema = {}, onlyRequired = false): unknown {
  const {
    example = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0],
    items,
    properties,
    required = [],
  } = schema;
  if (example !== undefined) return example;
  if (items) return [exampleOf(items)];
  if (!properties) return schema.type === 'integer' ? 1 : 'text';
  const isWanted = (name: string) => !onlyRequired || required.length === 0 || required.includes(name);
  const wanted = Object.entries(properties).filter(([name]) => isWanted(name));
  return Object.fromEntries(wanted.map(([name, property]) => [name, exampleOf(property)]));
}
