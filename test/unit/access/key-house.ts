import { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { ManualClock } from '../../support/clocks.js';
import { SeededRandom } from './seeded-random.js';
import { WatchedKeys } from './watched-keys.js';

export const OPERATOR = 'ann@counter';
export const OWN_SECRET = 'an-operators-own-secret-of-some-length';

/** One key storage, and any number of API key services on it. */
export class KeyHouse {
  readonly clock = new ManualClock();
  readonly #units = new MemoryUnitOfWork();
  readonly keys = new WatchedKeys(this.#units);
  readonly #ids = new MemorySequence();
  readonly #random = new SeededRandom();

  /** The API key service of another replica, with its own cache. */
  replica(): ApiKeyService {
    return new ApiKeyService(this.keys, this.#units, this.#ids, this.clock, this.#random, () => [
      'pets:admin',
      'pets:read',
      'pets:write',
    ]);
  }
}
