/** What an entity stores: its properties, without its methods. A getter counts as a property, so an entity has methods only. */
export type Properties<Entity> = {
  readonly [
    Name in keyof Entity as Entity[Name] extends (...given: never) => unknown ? never : Name
  ]: Entity[Name];
};
