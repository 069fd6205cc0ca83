import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '../../config/settings.js';
import { API_VERSION } from './api-version.js';
import { describeFields } from './describe-fields.js';
import { ErrorBody, ProblemBody } from './error-body.dto.js';
import { described, ENTITY_TAG, EVERYWHERE, ON_SUCCESS, RATE } from './headers.js';
import { Handlers } from '../handlers.js';
import { NAMED_LIST, type NamedList } from './operation.decorator.js';
import { describeApiErrors } from './api-errors.decorator.js';

const PREFIX = '/v1';
/** `@Deprecated` writes it; the document's own mark follows from it. */
const SUNSET = 'x-deprecated-sunset';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']> & { [SUNSET]?: string };
interface Response {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, unknown>>;
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
  describeApiErrors(handlers);
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
    .map(([path, item]) => [path.slice(PREFIX.length), completed(item)]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function completed(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, complete(method, operation as Operation)]),
  );
}

/** Adds what follows from the decorators or holds for all operations. */
function complete(method: string, operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    Number(status) < 400 ? success(method, response as Response) : failure(response as Response),
  ]);
  const notModified = {
    description: 'The client has this version already, as `If-None-Match` says.',
    headers: described({ ...EVERYWHERE, ...ON_SUCCESS, ...ENTITY_TAG, ...RATE }),
  };
  return {
    ...operation,
    ...(operation[SUNSET] !== undefined && { deprecated: true }),
    parameters: [...(operation.parameters ?? []), ...headerParameters(method)],
    responses: { ...Object.fromEntries(responses), ...(method === 'get' && { 304: notModified }) },
  };
}

function success(method: string, response: Response) {
  const headers = described({ ...EVERYWHERE, ...ON_SUCCESS, ...(method === 'get' && ENTITY_TAG), ...RATE });
  return { ...response, headers: { ...headers, ...response.headers } };
}

function failure(response: Response) {
  const problem = { schema: { $ref: getSchemaPath(ProblemBody) } };
  return { ...response, content: { ...response.content, 'application/problem+json': problem } };
}

function headerParameters(method: string): NonNullable<Operation['parameters']> {
  const header = (name: string, description: string, pattern?: string) => ({
    name,
    in: 'header' as const,
    required: false,
    description,
    schema: { type: 'string' as const, ...(pattern && { pattern }) },
  });
  const requestId = header(
    'X-Request-Id',
    'An id of your own for this request; it comes back.',
    '^[A-Za-z0-9._-]{1,128}$',
  );
  return method === 'get'
    ? [
        requestId,
        header('If-None-Match', 'The `ETag` of what you have; if it is current, the answer is 304.'),
      ]
    : [requestId];
}
