import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { stringify } from 'yaml';
import type { Settings } from '../../config/settings.js';
import { writeJson } from '../../json/write-json.js';
import { serveFiles, StaticFile } from '../docs/static-files.js';
import { typesOfBody } from '../body.guard.js';
import { Handlers } from '../handlers.js';
import { ErrorBody, ProblemBody } from './error-body.dto.js';
import { ENTITY_TAG, ENTITY_TAG_NOW, EVERYWHERE, ON_SUCCESS, RATE, toHeaderObjects } from './headers.js';
import { NAMED_LIST, type NamedList } from './operation.decorator.js';
import { describeFields, describeOperationErrors } from './describe-operations.js';

/** The version of the interface: the specification's, not the package's. */
export const API_VERSION = '1.0.0';

const PREFIX = '/v1';
/** `@Deprecated` writes it; the document's own mark follows from it. */
const SUNSET = 'x-deprecated-sunset';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { [SUNSET]?: string };
interface Response {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface Body {
  readonly content: Readonly<Record<string, object>>;
}

/** The OpenAPI document of all modules' operations. Paths are relative to the base addresses, which end in `/v1`. */
export function openApiDocument(app: INestApplication, { baseUrl, stagingUrl }: Settings): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pet Store')
    .setDescription('A catalogue of animals offered by a pet store.')
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(baseUrl ?? PREFIX, 'Production')
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer' })
    .addSecurityRequirements('apiKey');
  if (stagingUrl) builder.addServer(stagingUrl, 'Staging');

  const handlers = app.get(Handlers).all();
  describeOperationErrors(handlers);
  describeFields(handlers);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorBody, ProblemBody],
  });
  const schemas = document.components!.schemas!;
  for (const { method } of handlers) {
    const list = Reflect.getMetadata(NAMED_LIST, method) as NamedList | undefined;
    if (list) schemas[list.name] = { type: 'array', items: { $ref: getSchemaPath(list.item) } };
  }
  // What is not below the base address has no place in a document whose paths are relative to it.
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .map(([path, item]) => {
      const operations = Object.entries(item as Record<string, Operation>);
      const complete = operations.map(([method, operation]) => [method, completed(method, operation)]);
      return [path.slice(PREFIX.length), Object.fromEntries(complete)];
    });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

/** An operation with what follows from its decorators or holds for all operations. */
function completed(method: string, operation: Operation): Operation {
  const isGet = method === 'get';
  const headers = toHeaderObjects({ ...EVERYWHERE, ...ON_SUCCESS, ...(isGet && ENTITY_TAG), ...RATE });
  const ofBody = toHeaderObjects(method === 'patch' ? ENTITY_TAG_NOW : {});
  const problem = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemBody) } } };
  const responses = Object.entries(operation.responses as Record<string, Response>).map(
    ([status, response]) => [
      status,
      Number(status) < 400
        ? { ...response, headers: { ...headers, ...(response.content && ofBody), ...response.headers } }
        : { ...response, content: { ...response.content, ...problem } },
    ],
  );
  return {
    ...operation,
    ...(operation[SUNSET] !== undefined && { deprecated: true }),
    ...(operation.requestBody && { requestBody: bodyOf(method, operation.requestBody as Body) }),
    parameters: [...(operation.parameters ?? []), REQUEST_ID, ...(isGet ? [IF_NONE_MATCH] : [])],
    responses: {
      ...Object.fromEntries(responses),
      ...(isGet && {
        304: { description: 'The client has this version already, as `If-None-Match` says.', headers },
      }),
    },
  };
}

/** The body in every media type that `BodyGuard` takes. */
function bodyOf(method: string, body: Body): Body {
  const described = body.content['application/json']!;
  const types = typesOfBody(method.toUpperCase()).toReversed();
  return {
    ...body,
    content: { ...body.content, ...Object.fromEntries(types.map((type) => [type, described])) },
  };
}

const header = (name: string, description: string, pattern?: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const, ...(pattern && { pattern }) },
});
const REQUEST_ID = header(
  'X-Request-Id',
  'An id of your own for this request; it comes back.',
  '^[A-Za-z0-9._-]{1,128}$',
);
const IF_NONE_MATCH = header(
  'If-None-Match',
  'The `ETag` of what you have; if it is current, the answer is 304.',
);

/** Serves the document at `/openapi.json` and `/openapi.yaml` (RFC 9512), to everybody. */
export function serveDocument(app: INestApplication, document: OpenAPIObject): void {
  serveFiles(app.getHttpAdapter(), {
    '/openapi.json': new StaticFile('application/json; charset=utf-8', () => writeJson(document)),
    '/openapi.yaml': new StaticFile('application/yaml; charset=utf-8', () =>
      stringify(document, { aliasDuplicateObjects: false }),
    ),
  });
}
