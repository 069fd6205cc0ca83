/** The pattern of an int64, which is text, because many MCP clients would round it as a JSON number. */
export const INT64 = '^-?[0-9]{1,19}$';
/** A POST is not idempotent, because its `Idempotency-Key` may be left out. */
const HINTS = {
  get: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  post: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  put: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  patch: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};
const JSON_TYPE = 'application/json';
/** Headers for caches and logs. */
const NOT_OFFERED = /^(X-Request-Id|If-None-Match)$/;
/** The text of the OpenAPI document that replaces a description if the description is for HTTP programs only. */
const FOR_AGENTS = 'x-agent-description';
const NEXT_CURSOR = 'The cursor of the next page. The last page has none.';

/** The operations of an OpenAPI document, each as a tool, with the places of its arguments. Those that send or return files are left out. */
export function operationsOf({ paths, components = {} }) {
  const context = { paths, components };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(HINTS)
      .filter((method) => item[method]?.operationId && isOfJson(item[method], components))
      .map((method) => toOperation(path, method, item[method], context)),
  );
}

/** Whether no body of an operation has another type than JSON. */
function isOfJson({ requestBody, responses = {} }, components) {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const bodies = [requestBody, ...success.map(([, response]) => response)];
  return bodies.every((body) => {
    const { content } = (body && resolved(body, components)) ?? {};
    return !content || Object.keys(content).length === 0 || JSON_TYPE in content;
  });
}

function toOperation(path, method, operation, { paths, components }) {
  const { operationId: name, summary, requestBody, responses = {}, parameters = [] } = operation;
  const { description, [FOR_AGENTS]: text = description, 'x-deprecated-sunset': sunset } = operation;
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const inputs = parameters
    .map((parameter) => resolved(parameter, components))
    .filter((parameter) => !NOT_OFFERED.test(parameter.name))
    .concat(body ? { name: 'body', in: 'body', required: requestBody.required, schema: body } : []);
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(inputs.map((input) => [input.name, inputOf(input, components)])),
    required: inputs.filter(({ required }) => required).map((input) => input.name),
    additionalProperties: false,
  };
  const successor = paths[operation['x-successor']]?.get?.operationId;
  const instead = successor && `Call ${successor} instead.`;
  const outputSchema = outputOf(responses, components);
  const tool = {
    name,
    title: summary?.replace(/\.$/, '') ?? name,
    description: [summary, text, instead].filter(Boolean).join(' '),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations: HINTS[method],
  };
  const places = new Map(inputs.map((input) => [input.name, input.in]));
  return { path, method: method.toUpperCase(), places, tool, sunset, instead };
}

function inputOf({ in: place, description, [FOR_AGENTS]: text = description, schema = {} }, components) {
  const { [FOR_AGENTS]: textOfSchema = text } = schema;
  const input = toJsonSchema({ ...schema, ...(textOfSchema && { [FOR_AGENTS]: textOfSchema }) }, components);
  // A line break would end the header.
  return place === 'header' ? { pattern: '^[ -~]*$', ...input } : input;
}

/** The protocol requires an object, so a list is a member of one. Undefined if the operation does not return JSON. */
function outputOf(responses, components) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
  const schema = resolved(success, components).content?.[JSON_TYPE]?.schema;
  const output = schema && toJsonSchema(schema, components);
  if (output?.type !== 'array') return output?.type === 'object' ? output : undefined;
  const nextCursor = { type: 'string', description: NEXT_CURSOR };
  return { type: 'object', properties: { items: output, nextCursor }, required: ['items'] };
}

function resolved({ $ref, ...own }, components) {
  const [, , kind, name] = $ref?.split('/') ?? [];
  return $ref ? { ...components[kind][name], ...own } : own;
}

/** Keywords that JSON Schema does not have. */
const OF_OPENAPI = /^(x-.*|example|discriminator|xml|externalDocs)$/;
const FORMATS_OF_OPENAPI = ['int32', 'float', 'double', 'password', 'binary', 'byte'];

/** A schema of the document in JSON Schema, without references. */
function toJsonSchema(schema, components, within = []) {
  // This may be `additionalProperties: false`.
  if (typeof schema !== 'object') return schema;
  const { $ref, allOf = [], ...own } = schema;
  // Only the service checks a schema that contains itself.
  if (within.includes($ref)) return {};
  if ($ref) return toJsonSchema(resolved(schema, components), components, [...within, $ref]);
  if (allOf.length === 1) return toJsonSchema({ ...allOf[0], ...own }, components, within);
  const { [FOR_AGENTS]: description = own.description ?? '', format } = own;
  if (format === 'int64') {
    const type = [own.type].flat().includes('null') ? ['string', 'null'] : 'string';
    return { type, pattern: INT64, description: `${description} It is text, such as "7".`.trim() };
  }
  const inner = (part) => toJsonSchema(part, components, within);
  const members = Object.entries(schema)
    .filter(([keyword]) => !OF_OPENAPI.test(keyword))
    .filter(([keyword]) => keyword !== 'format' || !FORMATS_OF_OPENAPI.includes(format))
    .map(([keyword, value]) => [keyword, partOf(keyword, value, inner)]);
  return { ...Object.fromEntries(members), ...(description && { description }) };
}

function partOf(keyword, value, inner) {
  if (['items', 'additionalProperties', 'not'].includes(keyword)) return inner(value);
  if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) return value.map(inner);
  if (keyword !== 'properties') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
}

/** Changes each part of a value whose schema is known. An object or a list is changed before its parts. */
export function mapValue(schema, value, change) {
  const { allOf = [], anyOf = [], oneOf = [], items = {}, properties = {}, additionalProperties } = schema;
  const parts = [...allOf, ...anyOf, ...oneOf];
  const changed = change(
    schema,
    parts.reduce((read, part) => mapValue(part, read, change), value),
  );
  if (Array.isArray(changed)) return changed.map((item) => mapValue(items, item, change));
  if (changed === null || typeof changed !== 'object') return changed;
  const schemaOf = (name) =>
    Object.hasOwn(properties, name) ? properties[name] : additionalProperties || {};
  const members = Object.entries(changed);
  return Object.fromEntries(
    members.map(([name, member]) => [name, mapValue(schemaOf(name), member, change)]),
  );
}
