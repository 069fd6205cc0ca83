import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { BASE_PATH } from '../../src/platform/config/base-path.js';
import { ErrorCatalogue } from '../../src/platform/http/errors/error-catalogue.js';
import { documentUrls } from '../../src/platform/http/openapi/api-document.js';
import { TAG } from '../../src/platform/http/openapi/operation.decorator.js';
import { MAX_LIMIT, PageQuery } from '../../src/platform/http/lists/page.query.js';
import { type Route, Routes } from '../../src/platform/http/routes/routes.js';
import { routesByName } from './addresses.js';
import { completed, KEY_SCHEME } from './complete-operation.js';
import { describeFields } from './describe-fields.js';
import { ErrorBody, ProblemBody } from './error-body.dto.js';
import { errorResponses } from './error-responses.js';
import type { OpenApiDocument, Operation, Response, Schema, Version } from './openapi-types.js';
import { declaredParametersOf } from './handlers.js';
import { shareComponents } from './share-components.js';
import { includeBody, successOf, successResponse, withSentHeaders } from './success-response.js';

/** The version of the API, from the specification. The package has another version. */
const API_VERSION = '1.0.0';

/** The methods that OpenAPI supports. Nest also has SEARCH and the methods of WebDAV. */
const METHODS_OF_OPENAPI = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The OpenAPI document of all operations that are below the base URL. Paths are relative to the base URL. */
export function openApiDocument(app: INestApplication, version: Version = '3.1.0'): OpenApiDocument {
  const routes = app.get(Routes).all();
  describeFields(routes);
  routes.forEach(includeBody);
  const document = SwaggerModule.createDocument(app, frameOf(version, tagsOf(routes)), {
    extraModels: [ErrorBody, ProblemBody],
    // The same as `Route.operation`. @nestjs/swagger would add the version.
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  const schemas = document.components!.schemas as Record<string, Schema>;
  for (const route of routes) {
    const { listName, body } = successOf(route) ?? {};
    if (!listName) continue;
    const isPaged = declaredParametersOf(route).some(
      ({ declaredType }) => (declaredType as Type | undefined)?.prototype instanceof PageQuery,
    );
    const items = { $ref: getSchemaPath(body!) };
    schemas[listName] = { type: 'array', items, ...(isPaged && { maxItems: MAX_LIMIT }) };
  }
  const catalogue = app.get(ErrorCatalogue);
  const codes = errorCodesOf(catalogue);
  Object.assign(schemas['Error']!.properties!['code']!, { 'x-extensible-enum': Object.keys(codes) });
  schemas['Problem'] = extensionOf('Error', schemas, schemas['Problem']!);
  for (const schema of schemasIn([schemas, document.paths])) {
    typeByWords(schema, version);
    nestDiscriminator(schema);
    if (version === '3.0.3') toOldForm(schema, schemas);
  }
  const routeOf = routesByName(routes);
  // The document can only contain paths below the base URL, because its paths are relative to it.
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>).filter(
      ([method]) => METHODS_OF_OPENAPI.includes(method) && path.startsWith(`${BASE_PATH}/`),
    );
    const complete = operations.map(([method, described]) => {
      const route = routeOf(described.operationId!, method);
      const answers = route && { ...successResponse(route), ...errorResponses(route, catalogue) };
      const given = { ...described.responses, ...answers } as Record<string, Response>;
      const responses = route ? withSentHeaders(given, route) : given;
      const operation = { ...described, responses } as Operation;
      const { deprecation: end, takesBody = false } = route ?? {};
      return [method, completed(operation, { method, schemas, takesBody, ...(end && { end }) })] as const;
    });
    return complete.length > 0 ? [[path.slice(BASE_PATH.length), Object.fromEntries(complete)] as const] : [];
  });
  return {
    ...shareComponents({ ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] }),
    // Each running service puts its own URLs here.
    ...documentUrls({ host: '0.0.0.0', port: 0 }),
    'x-error-codes': codes,
  } as OpenApiDocument;
}

/** Sorted by status. For one status, the errors of the platform come first. */
const errorCodesOf = (catalogue: ErrorCatalogue) =>
  Object.fromEntries([...catalogue.all()].sort(([, one], [, other]) => one.status - other.status));

/** The properties that a schema adds to another schema, as an `allOf` with a reference to it. */
function extensionOf(name: string, schemas: Readonly<Record<string, Schema>>, whole: Schema): Schema {
  const base = schemas[name]!.properties!;
  const { properties = {}, required = [], ...rest } = whole;
  const own = Object.entries(properties).filter(([property]) => !(property in base));
  const extension = {
    ...rest,
    properties: Object.fromEntries(own),
    required: required.filter((property) => !(property in base)),
  };
  return { allOf: [{ $ref: `#/components/schemas/${name}` }, extension] };
}

/** All objects in a part of the document, except in examples. Schemas are among them. */
function* schemasIn(part: unknown): Generator<Schema> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part as Schema;
  for (const [name, member] of Object.entries(part))
    if (!['example', 'examples', 'default', 'enum'].includes(name)) yield* schemasIn(member);
}

/** Gives an enumeration the types of its values, one of which may be null. @nestjs/swagger supports only one type. */
function typeByWords(schema: Schema, version: Version): void {
  const { enum: words, type, nullable = [type].flat().includes('null') } = schema;
  if (!Array.isArray(words)) return;
  const values = (words as unknown[]).filter((word) => word !== null);
  const found = [...new Set(values.map((value) => typeof value))];
  const types = found.length === 1 && type === 'integer' ? ['integer'] : found;
  const isNullable = nullable || values.length < words.length;
  const all = isNullable && version === '3.1.0' ? [...types, 'null'] : types;
  Object.assign(schema, {
    type: all.length > 1 ? all : all[0],
    enum: isNullable ? [...values, null] : values,
    ...(isNullable && version === '3.0.3' && { nullable: true }),
  });
  if (version === '3.0.3' && all.length > 1) delete schema.type;
}

/** @nestjs/swagger puts the discriminator beside the choice between null and the subtypes. It belongs to the subtypes. */
function nestDiscriminator(schema: Schema): void {
  const [subtypes] = schema.anyOf ?? [];
  if (!schema.discriminator || !subtypes) return;
  subtypes.discriminator = schema.discriminator;
  delete schema.discriminator;
}

/**
 * Converts a schema to OpenAPI 3.0.3. There `nullable` requires a type beside it, which a reference to an enumeration does not
 * provide. An exclusive bound is a flag beside the bound.
 */
function toOldForm(schema: Schema, schemas: Readonly<Record<string, Schema>>): void {
  for (const [exclusive, bound] of EXCLUSIVE) {
    const value = schema[exclusive];
    if (typeof value === 'number') Object.assign(schema, { [bound]: value, [exclusive]: true });
  }
  const reference = schema.allOf?.[0]?.$ref;
  if (!schema.nullable || reference === undefined) return;
  const { type, enum: words } = schemas[reference.split('/').at(-1)!]!;
  if (!words) return;
  delete schema.allOf;
  Object.assign(schema, { ...(type !== undefined && { type }), enum: [...words, null] });
}

const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The tags of all modules, without duplicates. */
function tagsOf(routes: readonly Route[]): Tag[] {
  const tags = routes.flatMap(({ controller }) => {
    const tag = Reflect.getMetadata(TAG, controller) as Tag | undefined;
    return tag ? [[tag.name, tag] as const] : [];
  });
  return [...new Map(tags).values()];
}

const DESCRIPTION = `A catalogue of animals that a pet store offers. Clients list, add and order animals. The names of
operations and fields say "pet" for an animal.

Every operation requires an API key, sent as \`Authorization: Bearer <API key>\`. The operator of the service issues keys,
and \`servers\` lists the base URLs. All errors have the same shape and a documented code. The body of a list is an array, and the
URL of the next page is in the header \`Link\`. Unknown parameters and unknown fields are rejected, not ignored. Send an
\`Idempotency-Key\` with each \`POST\`, so that you can retry safely.

Integers of the format \`int64\` are JSON numbers with all their digits. JavaScript's \`JSON.parse\` rounds numbers beyond 2^53, and
the service rejects text in place of a number. The guide (\`/docs/guide\`) shows how to read and write all digits.

The version of this document is the version of the API. The service has a version of its own. \`x-since\` of an operation is the version
of the service that added it.`;

function frameOf(version: Version, tags: readonly Tag[]) {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion(version)
    .setTitle('Pet Store')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addSecurity(KEY_SCHEME, {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key. The operator of the service issues it.',
    })
    .addSecurityRequirements(KEY_SCHEME);
  for (const { name, description } of tags) builder.addTag(name, description);
  const frame = builder.build();
  // The service does not know who operates it, but clients know who gave them the key.
  frame.info.contact = { name: 'The operator of this service' };
  return frame;
}
