import type { ApiKey } from '../domain/api-key.js';

/** A key together with its secret, which is shown this once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}
