import type { IncomingMessage } from 'node:http';
import { Operators } from '../../../platform/health/operators.js';
import { withTimeout } from '../../../platform/process/timeout.js';
import type { ApiKeyService } from '../../application/api-key-service.js';
import { hashSecret } from '../../domain/key-secret.js';
import { bearerCredential } from './bearer-credential.js';

const SCOPE = 'ops:read';
/** How long a probe waits for the storage of keys, in ms. */
const LOOKUP_TIMEOUT_MS = 250;
const MAX_REMEMBERED = 100;

/**
 * Operators come with a key that has the scope `ops:read`, or all. Which keys were such the last time that could be told is
 * remembered, as is the bootstrap key: when the reason is that the database is away, nobody else knows.
 */
export class OperatorKeys extends Operators {
  readonly #remembered = new Set<string>();
  #asking = false;

  constructor(
    private readonly apiKeys: ApiKeyService,
    bootstrapSecret: string | undefined,
  ) {
    super();
    if (bootstrapSecret !== undefined) this.#remembered.add(hashSecret(bootstrapSecret));
  }

  override async isOperator(request: IncomingMessage): Promise<boolean> {
    const credential = bearerCredential(request);
    if (credential === undefined) return false;
    const hash = hashSecret(credential);
    // One at a time: nobody can have the storage asked more by asking this again and again.
    if (!this.#asking) await withTimeout(this.#ask(credential, hash), LOOKUP_TIMEOUT_MS, () => undefined);
    return this.#remembered.has(hash);
  }

  async #ask(credential: string, hash: string): Promise<void> {
    this.#asking = true;
    try {
      const key = await this.apiKeys.authenticate(credential);
      this.#remembered.delete(hash);
      if (key?.mayDo(SCOPE)) this.#remembered.add(hash);
      if (this.#remembered.size > MAX_REMEMBERED)
        this.#remembered.delete(this.#remembered.values().next().value!);
    } catch {
      // What was known before goes on to hold.
    } finally {
      this.#asking = false;
    }
  }
}
