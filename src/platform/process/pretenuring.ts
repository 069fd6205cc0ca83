import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 place nothing among old objects before it is old. Under load it soon would, with what lives as long as a request;
 * each such part, once dead, keeps all of its request alive until the whole heap is tidied up
 * (docs/decisions/0065-requests-stay-young.md).
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
