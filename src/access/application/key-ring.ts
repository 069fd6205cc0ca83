import type { RandomSource } from '../../kernel/random-source.js';
import type { Clock } from '../../kernel/clock.js';
import type { Int64 } from '../../kernel/int64.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKey, type KeyTerms } from '../domain/api-key.js';
import { KeyNotFound } from '../domain/key-errors.js';
import type { KeyAct, KeyEvent } from '../domain/key-event.js';
import { hashSecret, type KeyEnvironment, mintSecret } from '../domain/key-secret.js';
import type { ApiKeyRepository } from '../ports/api-key-repository.js';
import type { KeyHistory } from '../ports/key-history.js';
import type { IssuedKey } from './issued-key.js';
import type { KeyCache } from './key-cache.js';
import { KeyRecognition } from './key-recognition.js';
import type { LastUse } from './last-use.js';

/** What the key ring works with. */
export interface KeyRingTools {
  readonly keys: ApiKeyRepository;
  readonly history: KeyHistory;
  readonly units: UnitOfWork;
  readonly ids: Sequence;
  readonly cache: KeyCache;
  readonly lastUse: LastUse;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** All API keys: issues, rotates and revokes them, and recognises who comes with one. `actor` is who asks for it. */
export class KeyRing {
  readonly #recognition: KeyRecognition;

  constructor(private readonly tools: KeyRingTools) {
    this.#recognition = new KeyRecognition(tools);
  }

  issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.tools.units.run(() => this.#issue(terms, environment, actor));
  }

  /** Admits a secret that was made elsewhere. Doing so again, or on several replicas at once, changes nothing. */
  register(name: string, secret: string, actor: string): Promise<void> {
    return this.tools.units.run(async () => {
      if (await this.tools.keys.findByHash(hashSecret(secret))) return;
      await this.#store({ name }, secret, 'registered', actor);
    });
  }

  /** Issues a key on the same terms; the old one lives on for `overlap` ms at the longest. @throws KeyNotFound, KeyNotUsable */
  rotate(id: Int64, overlap: number, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    return this.tools.units.run(async () => {
      const now = this.tools.clock.now();
      const { terms } = await this.get(id);
      await this.tools.keys.change(id, (key) => key.retire(now + overlap, now));
      await this.#record(id, 'rotated', actor);
      return this.#issue(terms, environment, actor);
    });
  }

  /** Ends a key: it opens nothing any more on any replica after 5 s at the latest. @throws KeyNotFound */
  revoke(id: Int64, actor: string): Promise<ApiKey> {
    return this.tools.units.run(async () => {
      const revoked = await this.tools.keys.change(id, (key) => key.revoke(this.tools.clock.now()));
      await this.#record(id, 'revoked', actor);
      return revoked;
    });
  }

  /** See `KeyRecognition`. */
  recognise(secret: string): Promise<ApiKey | undefined> {
    return this.#recognition.recognise(secret);
  }

  /** See `KeyRecognition`. */
  recall(secret: string): ApiKey | undefined {
    return this.#recognition.recall(secret);
  }

  /** @throws KeyNotFound */
  async get(id: Int64): Promise<ApiKey> {
    const key = await this.tools.keys.find(id);
    if (!key) throw new KeyNotFound(id);
    return key;
  }

  /** Every key that was ever issued, oldest first. */
  list(): Promise<ApiKey[]> {
    return this.tools.keys.list();
  }

  /** What was done to a key, oldest first. */
  historyOf(id: Int64): Promise<KeyEvent[]> {
    return this.tools.history.of(id);
  }

  /** Whether no key was ever issued: then nobody can use the service yet. */
  isEmpty(): Promise<boolean> {
    return this.tools.keys.isEmpty();
  }

  async #issue(terms: KeyTerms, environment: KeyEnvironment, actor: string): Promise<IssuedKey> {
    const secret = mintSecret(environment, this.tools.random);
    return { key: await this.#store(terms, secret, 'issued', actor), secret };
  }

  async #store(terms: KeyTerms, secret: string, act: KeyAct, actor: string): Promise<ApiKey> {
    const { keys, ids, clock } = this.tools;
    const key = ApiKey.issue(await ids.next(), terms, hashSecret(secret), clock.now());
    if (await keys.add(key)) await this.#record(key.facts.id, act, actor);
    return key;
  }

  #record(keyId: Int64, act: KeyAct, actor: string): Promise<void> {
    return this.tools.history.record({ keyId, act, actor, at: this.tools.clock.now() });
  }
}
