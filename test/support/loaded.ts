import type { Properties } from '../../src/kernel/index.js';

/** An entity as TypeORM makes it of a row: by its properties alone, without its constructor. */
export const loaded = <Entity extends object>(
  type: { readonly prototype: Entity },
  properties: Properties<Entity>,
): Entity => Object.assign(Object.create(type.prototype) as Entity, properties);
