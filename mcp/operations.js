const INT64 = '^-?[0-9]{1,19}$';
/** A POST is not idempotent, because its `Idempotency-Key` may be left out. */
const HINTS = {
  get: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  post: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  put: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  patch: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** The operations of an OpenAPI document, each as a tool, with the places of its arguments. */
export function operationsOf({ paths, components }, mayWrite) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(HINTS)
      .filter((method) => item[method]?.operationId && (mayWrite || HINTS[method].readOnlyHint))
      .map((method) => describe(path, method, inputOf(item[method], components))),
  );
}

function describe(path, method, operation) {
  const { operationId: name, summary, description = '', parameters = [], requestBody } = operation;
  // These two are for caches and logs.
  const inputs = parameters.filter((parameter) => !/^(X-Request-Id|If-None-Match)$/.test(parameter.name));
  const body = requestBody?.content['application/json'];
  if (body) inputs.push({ ...requestBody, ...body, name: 'body', in: 'body' });
  const inputSchema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  for (const { name, required, schema, description = schema.description } of inputs) {
    inputSchema.properties[name] = { ...schema, description };
    if (required) inputSchema.required.push(name);
  }
  const places = new Map(inputs.map((input) => [input.name, input.in]));
  const tool = { name, description: `${summary} ${description}`, inputSchema, annotations: HINTS[method] };
  return { path, method: method.toUpperCase(), places, tool };
}

/** A part of the document without references, in which an int64 is text, because the protocol's JSON would round it. */
function inputOf(node, components, within = []) {
  return JSON.parse(JSON.stringify(node), (_, part) => {
    if (part?.format === 'int64') {
      const type = Array.isArray(part.type) ? ['string', 'null'] : 'string';
      return { type, pattern: INT64, description: `${part.description ?? ''} Send it as text.` };
    }
    if (typeof part?.$ref !== 'string') return part;
    const { $ref, ...rest } = part;
    const [, , kind, name] = $ref.split('/');
    // Only the service checks a schema that contains itself.
    const target = within.includes($ref) ? {} : components[kind][name];
    return { ...inputOf(target, components, [...within, $ref]), ...rest };
  });
}

/** Arguments with each int64 as a bigint. A value that does not fit its schema stays, because the service names all problems. */
export function exact(schema, given) {
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    throw new RangeError(`${given} may have lost digits. Send integers beyond 2^53 as text.`);
  const { allOf = [], anyOf = [], oneOf = [], items = {}, properties = {} } = schema;
  const value = [...allOf, ...anyOf, ...oneOf].reduce((read, part) => exact(part, read), given);
  if (schema.pattern === INT64 && new RegExp(INT64).test(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map((item) => exact(items, item));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, exact(properties[name] ?? {}, member)]));
}
