import type { OpenAPIObject } from '@nestjs/swagger';

/** The versions of OpenAPI that the document is written in. */
export type Version = '3.1.0' | '3.0.3';

export interface Reference {
  readonly $ref: string;
}
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}
export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
export interface Body {
  readonly content: Readonly<Record<string, MediaType>>;
}
/** As much of a schema as matters here. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly example?: unknown;
  additionalProperties?: boolean;
}
