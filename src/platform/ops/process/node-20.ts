import { setFlagsFromString } from 'node:v8';

/**
 * Prevents V8 from allocating in the old generation. Under load Node 20 would do so for objects that live as long as a request; each
 * of these, once dead, would keep its whole request alive until a full collection (docs/decisions/0052-shared-work.md).
 * Node 26 answers fewer requests with it. Delete this file when Node 20 is no longer supported.
 */
export function disablePretenuring(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--no-allocation-site-pretenuring');
}
