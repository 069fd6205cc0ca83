// The differences between two OpenAPI documents for a client, and which of them break it: docs/decisions/0112-versions.md.
import { compareKeys, compareSchemas, resolved } from './schema-changes.js';

const LEVELS = { experimental: 0, beta: 1, stable: 2 };

/** The operations of a document by name, each with its method and path as `address`. */
export function operationsOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => ({ ...part, address: `${method.toUpperCase()} ${path}` })),
  );
  return Object.fromEntries(operations.map((operation) => [operation.operationId, operation]));
}

/** @returns {{ what: string, breaks: boolean, operations: string[] }[]} all changes; `what` identifies a change, in words */
export function changesBetween(before, after) {
  const changes = new Map();
  const say = (operation, subject, what, breaks, status) => {
    const key = `${subject}: ${what}`;
    if (!changes.has(key)) changes.set(key, { breaks, operations: new Set(), statuses: new Set() });
    changes.get(key).operations.add(operation);
    if (status) changes.get(key).statuses.add(status);
  };
  compareKeys(operationsOf(before), operationsOf(after), {
    removed: (name) => say(name, name, 'removed', true),
    added: (name) => say(name, name, 'added', false),
    kept: (name, ...both) =>
      compareOperations(...both, { before, after, seen: new Set(), say: (...told) => say(name, ...told) }),
  });
  return [...changes].map(([key, { breaks, operations, statuses }]) => ({
    what: statuses.size > 0 ? `${key} on ${[...statuses].join(', ')}` : key,
    breaks,
    operations: [...operations],
  }));
}

function compareOperations(old, now, comparison) {
  const say = (what, breaks, status) => comparison.say(old.operationId, what, breaks, status);
  const compare = (what, key, none, breaks) => {
    const [was, is] = [old[key] ?? none, now[key] ?? none];
    if (was !== is) say(`${what} from ${was} to ${is}`, breaks(was, is));
  };
  compare('address', 'address', '', () => true);
  compare('sunset', 'x-deprecated-sunset', 'never', (was, is) => was !== 'never' && is < was);
  compare('stability', 'x-stability', 'stable', (was, is) => LEVELS[is] < LEVELS[was]);
  compare('scope', 'x-scope', 'none', (_, is) => is !== 'none');
  const [parts, newParts] = [partsOf(comparison.before, old), partsOf(comparison.after, now)];
  compareKeys(parts, newParts, {
    removed(_, { what, within, status }) {
      if (!within || within in newParts) say(`${what} removed`, true, status);
    },
    added(_, { side, what, within, status, required, isSuccess = false }) {
      const breaks = side === 'requests' ? required : isSuccess;
      if (!within || within in parts) say(`${required ? 'required ' : ''}${what} added`, breaks, status);
    },
    kept(_, was, { side, what, status, required, schema, subject = now.operationId }) {
      const breaks = required === (side === 'requests');
      if (was.required !== required) say(`${what} ${required ? 'required' : 'optional'}`, breaks, status);
      compareSchemas({ ...comparison, side }, subject, was.schema, schema);
    },
  });
}

/**
 * The parts of the requests and responses of an operation, by key. If the part whose key is `within` is added or removed, this
 * part is not reported.
 */
function partsOf(document, { operationId, parameters = [], requestBody, responses, security }) {
  const parts = {};
  const add = (side, key, more) => (parts[key] = { side, what: key, required: false, ...more });
  const schemes = document.components.securitySchemes ?? {};
  const keys = security ?? document.security ?? [];
  if (keys.length === 0) add('requests', 'access without a key');
  for (const name of keys.length === 0 ? Object.keys(schemes) : keys.flatMap(Object.keys)) {
    const { type, scheme, in: place, name: field } = schemes[name];
    add('requests', ['key as', type, scheme, place, field].filter(Boolean).join(' '));
  }
  for (const parameter of parameters.map((each) => resolved(document, each))) {
    const { in: place, name } = parameter;
    add('requests', `${place} parameter ${name}`, { ...parameter, subject: `${operationId}.${name}` });
  }
  const body = requestBody && resolved(document, requestBody);
  if (body) add('requests', 'body', body);
  for (const [type, { schema }] of Object.entries(body?.content ?? {}))
    add('requests', `body as ${type}`, { schema, within: 'body' });
  for (const [status, response] of Object.entries(responses)) {
    const { headers = {}, content = {} } = resolved(document, response);
    const within = `status ${status}`;
    add('answers', within, { isSuccess: status.startsWith('2') });
    const addTo = (what, more) => add('answers', `${status} ${what}`, { what, status, within, ...more });
    for (const [name, header] of Object.entries(headers))
      addTo(`header ${name}`, { ...resolved(document, header), subject: `${operationId}.${name}` });
    for (const [type, { schema, examples = {} }] of Object.entries(content)) {
      addTo(`answer as ${type}`, { schema });
      for (const code of status < 400 ? [] : Object.keys(examples)) addTo(`error ${code}`);
    }
  }
  return parts;
}
