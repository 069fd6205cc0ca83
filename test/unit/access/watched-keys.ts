import { MemoryApiKeyRepository } from '../../support/memory/memory-api-key-repository.js';
import type { ApiKey } from '../../../src/access/domain/api-key.js';
import type { Int64 } from '../../../src/kernel/int64.js';

/** In-memory key storage that counts calls, and can fail or be full. */
export class WatchedKeys extends MemoryApiKeyRepository {
  reads = 0;
  /** Whether the latest read was of a key that was good at its last read. */
  wasGood: boolean | undefined;
  /** Number of calls that record a use. */
  notes = 0;
  outOfOrder = false;
  full = false;

  override async findByHash(secretHash: string, wasGood?: boolean): Promise<ApiKey | undefined> {
    this.reads += 1;
    this.wasGood = wasGood;
    if (this.outOfOrder) throw new Error('the storage is out of order');
    return super.findByHash(secretHash);
  }

  override async recordUse(id: Int64, at: number, interval: number): Promise<void> {
    this.notes += 1;
    if (this.full) throw new Error('the storage is full');
    return super.recordUse(id, at, interval);
  }
}
