import { setFlagsFromString } from 'node:v8';

/**
 * Stops V8 from allocating in the old generation. Under load it would do so for objects that live as long as a request; each of
 * them, once dead, keeps its whole request alive until a full collection (docs/decisions/0065-requests-stay-young.md).
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
