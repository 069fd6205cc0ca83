/** The path of the base URL. */
export const basePathOf = ({ servers: [{ url }] }) => url;

/** The operations of an OpenAPI document, with all references resolved. Each has its method, its path below the base URL, and its whole path. */
const operationsOf = (document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(resolved(item, document))
      .filter(([, { operationId }]) => operationId)
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        wholePath: basePathOf(document) + path,
      })),
  );

/** Replaces references with their targets, and merges `allOf`. */
function resolved(part, document, within = []) {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document, within));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, allOf = [], ...own } = part;
  const members = Object.entries(own).map(([name, value]) => [name, resolved(value, document, within)]);
  // A recursive reference is dropped.
  const target =
    $ref && !within.includes($ref) ? [resolved(at($ref, document), document, [...within, $ref])] : [];
  return Object.assign({}, ...target, ...resolved(allOf, document, within), Object.fromEntries(members));
}

const at = (reference, document) =>
  reference
    .split('/')
    .slice(1)
    .reduce((part, step) => part[step], document);

/**
 * The content of a document for the pages: its operations, the error codes by status, and the paths of areas, by their last
 * segments.
 */
export function contentsOf(document) {
  const operations = operationsOf(document);
  const errors = Object.entries(document['x-error-codes'])
    .map(([code, error]) => {
      const message = `${error.meaning} ${error.remedy}`;
      const { value = { code, message, status: error.status } } = document.components.examples[code] ?? {};
      return { code, ...error, example: value };
    })
    .toSorted((one, other) => one.status - other.status);
  const prefixes = operations.flatMap(({ path }) =>
    path.split('/').map((name, i, all) => [name, all.slice(0, i + 1).join('/')]),
  );
  // If several paths end alike, the first one counts.
  const areas = [...new Map(prefixes.toReversed())].toReversed();
  const deprecated = operations.filter((operation) => operation['x-deprecated-sunset']);
  return { operations, errors, areas, deprecated };
}

/** An example value for a schema, built from the examples of its parts. */
export function exampleOf(schema = {}, onlyRequired = false) {
  const {
    example = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0],
    items,
    properties,
    required = [],
  } = schema;
  if (example !== undefined) return example;
  if (items) return [exampleOf(items)];
  if (!properties) return schema.type === 'integer' ? 1 : 'text';
  const isWanted = (name) => !onlyRequired || required.length === 0 || required.includes(name);
  const wanted = Object.entries(properties).filter(([name]) => isWanted(name));
  return Object.fromEntries(wanted.map(([name, property]) => [name, exampleOf(property)]));
}
