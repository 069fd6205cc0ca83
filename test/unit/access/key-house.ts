import { ApiKeyService } from '../../../src/access/application/api-key-service.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { ManualClock } from '../../support/clocks.js';
import { MemoryApiKeyRepository } from '../../support/memory/memory-api-key-repository.js';
import type { ApiKey } from '../../../src/access/domain/api-key.js';
import type { Int64 } from '../../../src/kernel/int64.js';
import { RandomSource } from '../../../src/kernel/random-source.js';

/** In-memory key storage that counts calls, and can fail or be full. */
export class WatchedKeys extends MemoryApiKeyRepository {
  reads = 0;
  /** Whether the latest read was of a key that was valid at its last read. */
  wasValid: boolean | undefined;
  /** Number of calls that record a use. */
  notes = 0;
  outOfOrder = false;
  full = false;

  override async findByHash(secretHash: string, wasValid?: boolean): Promise<ApiKey | undefined> {
    this.reads += 1;
    this.wasValid = wasValid;
    if (this.outOfOrder) throw new Error('the storage is out of order');
    return super.findByHash(secretHash);
  }

  override async recordUse(id: Int64, at: number, interval: number): Promise<void> {
    this.notes += 1;
    if (this.full) throw new Error('the storage is full');
    return super.recordUse(id, at, interval);
  }
}

/** All byte values in a cycle. */
export class EveryByte extends RandomSource {
  #next = 0;

  override bytes(count: number): Uint8Array {
    return new Uint8Array(count).map(() => this.#next++ % 256);
  }
}

export const OPERATOR = 'ann@counter';
export const OWN_SECRET = 'an-operators-own-secret-of-some-length';

/** One key storage, and any number of API key services on it. */
export class KeyHouse {
  readonly clock = new ManualClock();
  readonly #units = new MemoryUnitOfWork();
  readonly keys = new WatchedKeys(this.#units);
  readonly #ids = new MemorySequence();
  readonly #random = new EveryByte();

  /** The API key service of another replica, with its own cache. */
  replica(): ApiKeyService {
    return new ApiKeyService(this.keys, this.#units, this.#ids, this.clock, this.#random, () => [
      'pets:admin',
      'pets:read',
      'pets:write',
    ]);
  }
}
