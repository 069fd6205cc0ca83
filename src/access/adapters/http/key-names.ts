import { CallerNames } from '../../../platform/http/caller-names.js';
import type { KeyRing } from '../../application/key-ring.js';

/** A caller is called what its key is called. */
export class KeyNames extends CallerNames {
  constructor(private readonly keyRing: KeyRing) {
    super();
  }

  override async all(): Promise<ReadonlyMap<string, string>> {
    const keys = await this.keyRing.list();
    return new Map(keys.map(({ facts: { id, name } }) => [String(id), name]));
  }
}
