import type { Clock } from '../../kernel/clock.js';
import type { ApiKey } from '../domain/api-key.js';
import { hashSecret, isSameHash, looksLikeSecret } from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import type { KeyCache } from './key-cache.js';
import type { LastUse } from './last-use.js';

interface Tools {
  readonly keys: ApiKeyRepository;
  readonly cache: KeyCache;
  readonly lastUse: LastUse;
  readonly clock: Clock;
}

/** Finds the key that a secret opens with, unless it is unknown, expired or revoked. May be up to 5 s behind the storage. */
export class KeyRecognition {
  constructor(private readonly tools: Tools) {}

  async recognise(secret: string): Promise<ApiKey | undefined> {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    return this.#admit(await this.tools.cache.get(hash, () => this.tools.keys.findByHash(hash)), hash);
  }

  /** The same as far as it is known without asking the storage. */
  recall(secret: string): ApiKey | undefined {
    if (!looksLikeSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    return this.#admit(this.tools.cache.peek(hash), hash);
  }

  #admit(key: ApiKey | undefined, hash: string): ApiKey | undefined {
    const now = this.tools.clock.now();
    if (key?.stateAt(now) !== 'active' || !isSameHash(key.facts.secretHash, hash)) return undefined;
    this.tools.lastUse.note(key);
    return key;
  }
}
