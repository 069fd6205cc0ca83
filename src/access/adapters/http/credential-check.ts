import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { networkOfClient } from '../../../platform/http/client-network.js';
import { ApiException, RETRY_AFTER } from '../../../platform/http/errors/api-exception.js';
import { FailedAttempts } from '../../application/failed-attempts.js';
import { CHALLENGE } from './credentials.js';
import { WaitingRequests } from './waiting-requests.js';

const INVALID = 'The API key is not valid. Check it, or ask the operator of this service for another.';
const TOO_MANY = 'Too many API keys that are not valid came from this address. Try again in 1 s.';

/** Checks every credential that is not in the cache, wherever it was sent, so that one limit slows down all guesses. */
@Injectable()
export class CredentialCheck {
  constructor(
    private readonly failures: FailedAttempts,
    private readonly waiting: WaitingRequests,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks up a credential with `lookUp`, which returns undefined for a bad one. One that was good lately (`isKnown`) is always
   * looked up. @throws ApiException 401, after a delay; 429 if its address has too many failures for another lookup
   */
  async verify<Found>(
    request: Request,
    isKnown: boolean,
    lookUp: () => Promise<Found | undefined>,
  ): Promise<Found> {
    if (!isKnown && this.failures.isExhausted(networkOfClient(request))) throw tooMany();
    const verified = this.waiting.inTurn(request, () => this.#verify(request, lookUp));
    if (!verified) throw tooMany();
    return verified;
  }

  async #verify<Found>(request: Request, lookUp: () => Promise<Found | undefined>): Promise<Found> {
    // While the request waited for its turn, its client has left or its deadline has passed.
    if (request.socket.destroyed || request.res?.headersSent) throw invalid();
    const begunAt = this.clock.now();
    const found = await lookUp();
    if (found !== undefined) return found;
    await this.waiting.pause(request, this.failures.failed(networkOfClient(request), begunAt));
    throw invalid();
  }
}

const tooMany = () => new ApiException('too_many_requests', TOO_MANY, { headers: RETRY_AFTER });

const invalid = () =>
  new ApiException('invalid_api_key', INVALID, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
  });
