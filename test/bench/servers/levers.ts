import { join } from 'node:path';

/**
 * The optimizations of the service, each with the built module that implements it, for which `stand-ins` has a plain
 * replacement. `deprecation` is the reverse: the cost of a deprecated operation.
 */
const LEVERS = {
  'born-messages': 'platform/http/server/express-messages.js',
  'shared-reads': 'platform/http/lists/read-coalescer.js',
  batches: 'pets/adapters/typeorm/batched-pet-repository.js',
  'key-cache': 'access/application/key-cache.js',
  deprecation: 'platform/http/deprecation/deprecated.decorator.js',
} as const;

export type LeverName = keyof typeof LEVERS;
export const LEVER_NAMES = Object.keys(LEVERS) as LeverName[];

/** How to start the built service without some of its optimizations. @param bench the folder `test/bench` */
export function without(levers: readonly LeverName[], bench: string) {
  const standIns = levers.map((name) => [LEVERS[name], `${name}.mjs`] as const);
  return replacing(Object.fromEntries(standIns), bench);
}

/** How to start the built service with the modules of so many teams before its own. @param bench the folder `test/bench` */
export function withModules(count: number, bench: string) {
  const { nodeArgs, environment } = replacing({ 'app.module.js': 'more-modules.mjs' }, bench);
  return { nodeArgs, environment: { ...environment, MORE_MODULES: String(count) } };
}

/** @param standIns files of the folder `stand-ins` by the built modules that they replace */
const replacing = (standIns: Readonly<Record<string, string>>, bench: string) => ({
  nodeArgs: ['--import', join(bench, 'stand-ins.mjs')],
  environment: { STAND_INS: JSON.stringify(standIns) },
});
