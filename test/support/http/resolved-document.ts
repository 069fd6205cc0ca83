/**
 * An OpenAPI document with its references to shared responses, headers, parameters and examples resolved. References to schemas
 * stay: their names are part of the contract.
 */
export function resolvedDocument<Document>(document: Document): Document {
  const { components } = document as unknown as { components: Record<string, Record<string, unknown>> };
  const resolve = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(resolve);
    const [, kind, name] =
      /^#\/components\/(?!schemas)(\w+)\/(.+)$/.exec(String((part as { $ref?: string }).$ref)) ?? [];
    if (kind !== undefined) return resolve(components[kind]![name!]);
    return Object.fromEntries(Object.entries(part).map(([member, value]) => [member, resolve(value)]));
  };
  return resolve(document) as Document;
}
