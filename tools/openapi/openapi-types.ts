import type { OpenAPIObject } from '@nestjs/swagger';

/** The document, in the form that `npm run document` writes. */
export interface OpenApiDocument extends OpenAPIObject {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  /** Every error code, with its status, meaning and remedy. */
  readonly 'x-error-codes'?: Readonly<Record<string, object>>;
}

export type Version = '3.1.0' | '3.0.3';

export interface Reference {
  readonly $ref: string;
}
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Parameter = NonNullable<Operation['parameters']>[number];
export interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly links?: Readonly<Record<string, object>>;
}
export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
export interface Body {
  readonly content: Readonly<Record<string, MediaType>>;
}
/** The part of a schema that the tools use. For the pages of `/docs`, all references are resolved. */
export interface Schema {
  readonly $ref?: string;
  allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly exclusiveMinimum?: unknown;
  readonly exclusiveMaximum?: unknown;
  readonly minLength?: unknown;
  readonly maxLength?: unknown;
  discriminator?: object;
  additionalProperties?: boolean | Schema;
}
