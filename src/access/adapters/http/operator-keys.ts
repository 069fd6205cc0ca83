import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Operators } from '../../../platform/health/readiness.js';
import { withTimeout } from '../../../platform/process/timeout.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import { hashSecret } from '../../domain/key-secret.js';
import { bearerCredential } from './credentials.js';

const SCOPE = 'ops:read';
/** How long a probe waits for the storage of keys. */
const LOOKUP_TIMEOUT_MS = 250;
const MAX_REMEMBERED = 100;

/**
 * An operator has a key with the scope `ops:read`, or all scopes. The last known answer for a key is remembered, as is the
 * bootstrap key: while the database is away, nothing else can tell.
 */
@Injectable()
export class OperatorKeys extends Operators {
  readonly #remembered = new Set<string>();
  #isLookingUp = false;

  constructor(
    private readonly apiKeys: ApiKeyService,
    { bootstrapApiKey }: Settings,
  ) {
    super();
    if (bootstrapApiKey !== undefined) this.#remembered.add(hashSecret(bootstrapApiKey));
  }

  override async isOperator(request: IncomingMessage): Promise<boolean> {
    const credential = bearerCredential(request);
    if (credential === undefined) return false;
    const hash = hashSecret(credential);
    // One lookup at a time, so that repeated probes do not add to the load of the storage.
    if (!this.#isLookingUp)
      await withTimeout(this.#lookUp(credential, hash), LOOKUP_TIMEOUT_MS, () => undefined);
    return this.#remembered.has(hash);
  }

  async #lookUp(credential: string, hash: string): Promise<void> {
    this.#isLookingUp = true;
    try {
      const key = await this.apiKeys.authenticate(credential);
      this.#remembered.delete(hash);
      if (key?.mayDo(SCOPE)) this.#remembered.add(hash);
      if (this.#remembered.size > MAX_REMEMBERED)
        this.#remembered.delete(this.#remembered.values().next().value!);
    } catch {
      // What was known before still holds.
    } finally {
      this.#isLookingUp = false;
    }
  }
}
