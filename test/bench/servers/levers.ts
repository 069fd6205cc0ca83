import { join } from 'node:path';

/**
 * The optimizations of the service, each with the built module that implements it, for which `without` has a plain
 * replacement. `deprecation` is the reverse: the cost of a deprecated operation.
 */
const LEVERS = {
  'born-messages': 'platform/http/server/express-messages.js',
  'lean-response': 'platform/http/server/lean-response.js',
  'lean-json': 'platform/json/write-json.js',
  'shared-reads': 'platform/http/lists/read-coalescer.js',
  batches: 'pets/adapters/typeorm/batched-pet-repository.js',
  'key-cache': 'access/application/key-cache.js',
  deprecation: 'platform/http/deprecation/deprecated.decorator.js',
} as const;

export type LeverName = keyof typeof LEVERS;
export const LEVER_NAMES = Object.keys(LEVERS) as LeverName[];

/** How to start the built service without some of its optimizations. @param bench the folder `test/bench` */
export function without(levers: readonly LeverName[], bench: string) {
  const standIns = levers.map((name) => [LEVERS[name], `${name}.mjs`]);
  return {
    nodeArgs: ['--import', join(bench, 'without.mjs')],
    environment: { STAND_INS: JSON.stringify(Object.fromEntries(standIns)) },
  };
}
