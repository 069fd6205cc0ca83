/** What an entity stores: its properties, without its methods. A getter counts as a property, so an entity has methods only. */
export type Properties<Entity> = {
  readonly [
    Name in keyof Entity as Entity[Name] extends (...given: never) => unknown ? never : Name
  ]: Entity[Name];
};

/** The values that a change sets. */
type ValuesOf<Entity> = { readonly [Name in keyof Entity]?: Entity[Name] | undefined };

/**
 * Whether an entity already has all values of a change. Then the change was made before, and a client may only repeat its request
 * because the response was lost. Dates, lists and bytes are compared by their content.
 */
export const hasValues = <Entity extends object>(
  entity: Entity,
  change: ValuesOf<NoInfer<Entity>>,
): boolean => Object.entries(change).every(([name, value]) => isSame(entity[name as keyof Entity], value));

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  return one === other;
}

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) || value instanceof Uint8Array;
