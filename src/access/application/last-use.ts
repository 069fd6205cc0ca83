import type { Clock } from '../../kernel/clock.js';
import type { Int64 } from '../../kernel/int64.js';
import type { ApiKey } from '../domain/api-key.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';

/** How often the use of one key is written, at most. */
const INTERVAL = 60_000;

/** Keeps when each key was last used, to the minute, without making the request that uses it wait. */
export class LastUse {
  readonly #writtenAt = new Map<Int64, number>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  note({ facts: { id, lastUsedAt } }: ApiKey): void {
    const now = this.clock.now();
    const written = this.#writtenAt.get(id) ?? lastUsedAt ?? Number.NEGATIVE_INFINITY;
    if (now - written < INTERVAL) return;
    this.#writtenAt.set(id, now);
    // Who cannot write it down now will at the next use; nobody is refused for that.
    this.keys.noteUse(id, now, INTERVAL).catch(() => this.#writtenAt.delete(id));
  }
}
