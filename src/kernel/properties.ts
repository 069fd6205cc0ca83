/** What an entity stores: its properties, without its methods. */
export type Properties<Entity> = {
  readonly [
    Name in keyof Entity as Entity[Name] extends (...given: never) => unknown ? never : Name
  ]: Entity[Name];
};
