import { setFlagsFromString } from 'node:v8';

/**
 * Prevents V8 from allocating in the old generation. Under load it would do so for objects that live as long as a request; each
 * of these, once dead, would keep its whole request alive until a full collection (docs/decisions/0065-requests-stay-young.md).
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
