import type { Abstract, FactoryProvider, Type } from '@nestjs/common';

/** A dependency that is a part of another provider, such as the ids of one table: `sequence('orders')`. */
interface Part<Value> {
  readonly of: Abstract<unknown>;
  take(whole: never): Value;
}

type Dependency<Value> = Abstract<Value> | Part<Value>;

/**
 * Provides an object of the core, which has no decorators. List the dependencies in the order of its constructor, because the
 * compiler compares them with it.
 */
export function provide<Instance, Needs extends readonly unknown[]>(
  type: new (...needs: Needs) => Instance,
  ...dependencies: { [Index in keyof Needs]: Dependency<Needs[Index]> }
): FactoryProvider<Instance> {
  const all = dependencies as readonly Dependency<unknown>[];
  return {
    provide: type,
    inject: all.map((one) => (isPart(one) ? one.of : one) as Type),
    useFactory: (...given: readonly unknown[]) =>
      new type(...(given.map((one, i) => partOf(all[i]!, one)) as unknown as Needs)),
  };
}

const isPart = (dependency: Dependency<unknown>): dependency is Part<unknown> =>
  typeof dependency !== 'function';

const partOf = (dependency: Dependency<unknown>, whole: unknown): unknown =>
  isPart(dependency) ? dependency.take(whole as never) : whole;
