import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../../platform/config/settings.js';
import { Operators } from '../../../platform/health/readiness.js';
import { withTimeout } from '../../../platform/process/timeout.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import { hashSecret } from '../../domain/key-secret.js';
import { CredentialCheck } from './credential-check.js';
import { bearerCredential } from './credentials.js';

const SCOPE = 'ops:read';
/** How long a probe waits for the storage of keys. */
const LOOKUP_TIMEOUT_MS = 250;
const MAX_REMEMBERED = 100;

/**
 * Decides who is an operator: a key with the scope `ops:read`, or with all scopes. The last result for each key is cached, and
 * so is the bootstrap key, because the database may be unavailable when it matters.
 */
@Injectable()
export class OperatorKeys extends Operators {
  readonly #remembered = new Set<string>();

  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly check: CredentialCheck,
    { bootstrapApiKey }: Settings,
  ) {
    super();
    if (bootstrapApiKey !== undefined) this.#remembered.add(hashSecret(bootstrapApiKey));
  }

  override async isOperator(request: Request): Promise<boolean> {
    const credential = bearerCredential(request);
    if (credential === undefined) return false;
    const hash = hashSecret(credential);
    const isKnown = this.#remembered.has(hash) || this.apiKeys.isKnown(credential);
    // The probe itself is answered in any case; only the credential is rejected.
    return this.check.verify(request, isKnown, () => this.#lookUp(credential, hash)).catch(() => false);
  }

  /** Undefined for a bad key, and for one that is not cached while the storage does not answer. */
  async #lookUp(credential: string, hash: string): Promise<boolean | undefined> {
    const lookup = this.#authenticate(credential, hash).catch(() => undefined);
    const found = await withTimeout(lookup, LOOKUP_TIMEOUT_MS);
    return found ?? (this.#remembered.has(hash) || undefined);
  }

  async #authenticate(credential: string, hash: string): Promise<boolean | undefined> {
    const isOperator = (await this.apiKeys.authenticate(credential))?.mayDo(SCOPE);
    this.#remembered.delete(hash);
    if (isOperator) this.#remembered.add(hash);
    if (this.#remembered.size > MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.values().next().value!);
    return isOperator;
  }
}
