import type { Clock } from '../../kernel/clock.js';
import type { Int64 } from '../../kernel/int64.js';
import type { ApiKey } from '../domain/api-key.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';

/** The minimum time between two writes of the use of one key. */
const WRITE_INTERVAL_MS = 60_000;

/** Stores when each key was last used, to the minute. The request does not wait for it. */
export class LastUse {
  readonly #writtenAt = new Map<Int64, number>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  record({ props: { id, lastUsedAt } }: ApiKey): void {
    const now = this.clock.now();
    const written = this.#writtenAt.get(id) ?? lastUsedAt ?? Number.NEGATIVE_INFINITY;
    if (now - written < WRITE_INTERVAL_MS) return;
    this.#writtenAt.set(id, now);
    // The next use makes up for a failed write; no request fails because of it.
    this.keys.recordUse(id, now, WRITE_INTERVAL_MS).catch(() => this.#writtenAt.delete(id));
  }
}
