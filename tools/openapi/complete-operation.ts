import { jsonTypesOf } from '../../src/platform/http/body/read-body.js';
import type { Deprecation } from '../../src/platform/http/deprecation/deprecation.js';
import type { StabilityLevel } from '../../src/platform/http/routes/route.decorators.js';
import { headersOf, toHeaderObjects } from './headers.js';
import { sinceOf } from './release-changes.js';
import type { Body, MediaType, Operation, Parameter, Response, Schema } from './openapi-types.js';

interface OperationContext {
  /** In lower case. */
  readonly method: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Whether the service rejects unknown fields of the body, because the handler has `@Body()`. */
  readonly takesBody: boolean;
  /** Absent if the operation is not deprecated. */
  readonly end?: Deprecation;
}

interface Extensions {
  readonly 'x-stability'?: StabilityLevel;
  readonly 'x-agent-description'?: string;
}

const WARNINGS: Readonly<Record<StabilityLevel, string>> = {
  experimental: '**Experimental:** this operation may change or be removed without notice. ',
  beta: '**Beta:** this operation may change or be removed, but with notice. ',
};

/** The name of the only security scheme. */
export const KEY_SCHEME = 'apiKey';

/** Completes an operation with the results of its decorators, and with what holds for all operations. */
export function completed(operation: Operation, context: OperationContext): Operation {
  const { method, end } = context;
  const isGet = method === 'get';
  const { 'x-stability': level, 'x-agent-description': forAgents } = operation as Extensions;
  const needsKey = '401' in operation.responses;
  const body = operation.requestBody as Body | undefined;
  const { security, ...rest } = operation;
  const since = { 'x-since': sinceOf(operation.operationId ?? '') };
  // `@ApiBearerAuth()` names a scheme that is not declared.
  const declared = security?.filter((one) => Object.keys(one).every((name) => name === KEY_SCHEME)) ?? [];
  return {
    ...rest,
    ...(declared.length > 0 && { security: declared }),
    description: [level && WARNINGS[level], end && ending(end), operation.description]
      .filter(Boolean)
      .join(''),
    ...((end ?? forAgents) && {
      'x-agent-description': [
        level && WARNINGS[level],
        end && endingForAgents(end),
        forAgents ?? operation.description,
      ]
        .filter(Boolean)
        .join(''),
    }),
    ...(end && { deprecated: true }),
    ...since,
    ...(!needsKey && { security: [] }),
    ...(body && { requestBody: bodyOf(body, context) }),
    parameters: [
      ...pathFirst(operation.parameters ?? []).map(withPathExample),
      REQUEST_ID,
      ...(isGet ? [IF_NONE_MATCH] : []),
    ],
    responses: responsesOf(
      operation.responses as Record<string, Response>,
      { method, needsKey, isDeprecated: end !== undefined, isUnstable: level !== undefined },
      context.schemas,
      body?.content['application/json']?.schema,
    ) as Operation['responses'],
  };
}

/** Parameter decorators are called from the last to the first, so the order in which they add parameters means nothing. */
const pathFirst = (parameters: readonly Parameter[]) =>
  parameters.toSorted((one, other) => Number(isInPath(other)) - Number(isInPath(one)));

const isInPath = (parameter: Parameter) => (parameter as { in?: string }).in === 'path';

/** Tools that try each operation need a value for each part of the path. Any id will do. */
function withPathExample(parameter: Parameter): Parameter {
  const { example, schema } = parameter as { example?: unknown; schema?: Schema };
  const isId = isInPath(parameter) && schema?.type === 'integer' && (example ?? schema.example) === undefined;
  return isId ? { ...parameter, example: 1 } : parameter;
}

function ending({ since, sunset, successor }: Deprecation): string {
  const way = `The \`Link\` of a response leads to the successor, \`GET ${successor().path}\`.`;
  return `Deprecated since ${inWords(since)}. From ${inWords(sunset)}, 00:00 UTC, the response is 410. ${way} `;
}

/** Agents call an operation by its name, so the successor has its own extension. */
const endingForAgents = ({ since, sunset }: Deprecation) =>
  `Deprecated since ${inWords(since)}. It ends on ${inWords(sunset)}. `;

const inWords = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function responsesOf(
  given: Readonly<Record<string, Response>>,
  answering: Parameters<typeof headersOf>[0],
  schemas: OperationContext['schemas'],
  sent: Schema | undefined,
): Record<string, Response> {
  const complete = (status: number, response: Response): Response => {
    const { headers, content, description, links = {} } = response;
    const all = toHeaderObjects(headersOf(answering, status, content && Object.keys(content)));
    return {
      description: description || 'The operation succeeded.',
      headers: { ...all, ...headers },
      ...(content && { content: status < 400 ? withExamples(content, schemas, sent) : content }),
      ...(Object.keys(links).length > 0 && { links }),
    };
  };
  const responses = Object.fromEntries(
    Object.entries(given).map(([status, response]) => [status, complete(Number(status), response)]),
  );
  if (answering.method === 'get') responses['304'] = complete(304, NOT_MODIFIED);
  return responses;
}

const NOT_MODIFIED = {
  description: 'The client already has the current version, which `If-None-Match` names.',
};

/** Adds examples of responses, which contain the values of the example of the request. */
function withExamples(
  content: NonNullable<Response['content']>,
  schemas: OperationContext['schemas'],
  sent: Schema | undefined,
) {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, MediaType] => {
      const example = media.schema && exampleOf(media.schema, schemas);
      const given = Object.entries((sent && exampleOf(sent, schemas)) ?? {});
      const isObject = typeof example === 'object' && example !== null && !Array.isArray(example);
      const whole = isObject
        ? { ...example, ...Object.fromEntries(given.filter(([name]) => name in example)) }
        : example;
      return [type, { ...media, ...(whole !== undefined && { example: whole }) }];
    }),
  );
}

/**
 * An example, built from the examples of the fields. Undefined if a required field has none. `outer` contains the enclosing
 * schemas, because a recursive reference has no example.
 */
function exampleOf(
  schema: Schema,
  schemas: OperationContext['schemas'],
  outer: readonly Schema[] = [],
): unknown {
  if (schema.example !== undefined) return schema.example;
  if (outer.includes(schema)) return undefined;
  const within = [...outer, schema];
  if (schema.$ref) {
    const referred = schemas[nameOf(schema.$ref)];
    return referred && exampleOf(referred, schemas, within);
  }
  if (schema.items) {
    const item = exampleOf(schema.items, schemas, within);
    return item === undefined ? undefined : [item];
  }
  if (!schema.properties) return undefined;
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => [name, exampleOf(field, schemas, within)] as const,
  );
  const known = Object.fromEntries(fields.filter(([, example]) => example !== undefined));
  return (schema.required ?? []).every((name) => name in known) ? known : undefined;
}

const nameOf = (reference: string) => reference.split('/').at(-1)!;

/** Describes the body in every media type that `BodyReader` accepts. */
function bodyOf(body: Body, { method, schemas, takesBody }: OperationContext): Operation['requestBody'] {
  for (const { schema } of Object.values(body.content)) if (schema && takesBody) close(schema, schemas);
  if (Object.keys(body.content).join() !== 'application/json') return body as Operation['requestBody'];
  const types = jsonTypesOf(method.toUpperCase()).toReversed();
  const content = Object.fromEntries(types.map((type) => [type, body.content['application/json']]));
  return { ...body, content: { ...body.content, ...content } } as Operation['requestBody'];
}

/** Declares that a body and the objects in it have no other fields. Objects may be recursive. */
function close(schema: Schema, schemas: OperationContext['schemas'], closed = new Set<Schema>()): void {
  if (closed.has(schema)) return;
  closed.add(schema);
  const referred = schema.$ref && schemas[nameOf(schema.$ref)];
  if (schema.properties) schema.additionalProperties = false;
  const { properties = {}, allOf = [], oneOf = [], anyOf = [], items, additionalProperties } = schema;
  for (const part of [
    referred,
    ...Object.values(properties),
    ...allOf,
    ...oneOf,
    ...anyOf,
    items,
    additionalProperties,
  ])
    if (typeof part === 'object') close(part, schemas, closed);
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  description,
  schema: { type: 'string' as const },
});
const REQUEST_ID = header(
  'X-Request-Id',
  'An id for this request, which the response repeats: 1 to 128 letters, digits, `.`, `_` and `-`. The service replaces any other id.',
);
const IF_NONE_MATCH = header(
  'If-None-Match',
  'The `ETag` of the version that you have. If it is the current version, the response is 304.',
);
