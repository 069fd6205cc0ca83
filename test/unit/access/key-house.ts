import { MemoryKeyHistory } from '../../support/memory/memory-key-history.js';
import { KeyCache } from '../../../src/access/application/key-cache.js';
import { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { LastUse } from '../../../src/access/application/last-use.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { ManualClock } from '../../support/clocks.js';
import { SeededRandom } from './seeded-random.js';
import { WatchedKeys } from './watched-keys.js';

export const OPERATOR = 'ann@counter';
export const OWN_SECRET = 'an-operators-own-secret-of-some-length';

/** One storage of keys, and over it as many API key services as a test asks for. */
export class KeyHouse {
  readonly clock = new ManualClock();
  readonly #units = new MemoryUnitOfWork();
  readonly keys = new WatchedKeys(this.#units);
  readonly history = new MemoryKeyHistory(this.#units);
  readonly #ids = new MemorySequence();
  readonly #random = new SeededRandom();

  /** An API key service as another replica has it: with a memory of its own. */
  replica(): ApiKeyService {
    return new ApiKeyService({
      keys: this.keys,
      history: this.history,
      units: this.#units,
      ids: this.#ids,
      cache: new KeyCache(this.clock),
      lastUse: new LastUse(this.keys, this.clock),
      clock: this.clock,
      random: this.#random,
    });
  }
}
