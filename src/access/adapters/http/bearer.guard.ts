import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Rate } from '../../../kernel/index.js';
import {
  ApiException,
  CHALLENGE,
  insufficientScope,
  requestOf,
  routeOf,
  setCaller,
} from '../../../platform/http/index.js';
import { channel } from '../../../platform/observability/index.js';
import { AccessSettings } from '../../access.settings.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import type { ApiKey } from '../../domain/api-key.js';
import { RateCounter } from '../../ports/rate-counter.js';

/** Whether a key was in the cache, or was looked up in the database. */
export const keyLookedUp = channel<'hit' | 'miss'>('access.key-looked-up');

const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

export const rateExceeded = channel<void>('access.rate-exceeded');

/** Requires a valid API key that has the scope of the operation and has not used up its rate. It runs before any body is read. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly counter: RateCounter,
    private readonly settings: AccessSettings,
  ) {}

  /** A cached key is checked without a promise: creating one would cost more than all the checks. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    // A call that is not an HTTP request has no key. `NonHttpGuard` allows such a call only if the handler is public.
    if (context.getType() !== 'http') return true;
    const request = requestOf(context);
    if (routeOf(request)!.isPublic) return true;
    const credential = bearerCredential(request);
    if (credential === undefined) throw unauthenticated('missing_api_key', '');
    const cached = this.apiKeys.authenticateFromCache(credential);
    keyLookedUp.publish(cached ? 'hit' : 'miss');
    return cached ? this.#admit(cached, request) : this.#lookUp(credential, request);
  }

  async #lookUp(credential: string, request: Request): Promise<true> {
    const key = await this.apiKeys.authenticate(credential);
    if (!key) throw unauthenticated('invalid_api_key', ', error="invalid_token"');
    return this.#admit(key, request);
  }

  #admit(key: ApiKey, request: Request): true | Promise<true> {
    const { scope } = routeOf(request)!;
    if (!key.mayDo(scope)) throw insufficientScope(scope);
    const { id, name, scopes, rate = this.settings.rateLimit } = key;
    // Without a member `scopes`, the caller would count as restricted.
    setCaller(request, String(id), { name, scopes, mayDo: (other) => key.mayDo(other) });
    return rate === undefined || this.#enforceRate(rate, String(id), request.res!);
  }

  /**
   * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4). A rejection has the type
   * of problem that the draft defines.
   */
  async #enforceRate(rate: Rate, subject: string, response: Response): Promise<true> {
    const { admitted, remaining, resetIn } = await this.counter.take(subject, rate);
    // The number is rounded up, so that a client that waits this long is not too early.
    const wait = Math.max(1, Math.ceil(resetIn / 1_000));
    response.setHeader('RateLimit-Policy', `"key";q=${rate.limit};w=${rate.seconds}`);
    response.setHeader('RateLimit', `"key";r=${remaining};t=${wait}`);
    if (admitted) return true;
    rateExceeded.publish();
    throw new ApiException(
      'rate_limited',
      `The API key has reached its rate limit. Try again in ${wait} s.`,
      {
        headers: { 'Retry-After': String(wait) },
        problem: { type: QUOTA_EXCEEDED, 'violated-policies': ['key'] },
      },
    );
  }
}

const unauthenticated = (code: 'missing_api_key' | 'invalid_api_key', reason: string) =>
  new ApiException(code, undefined, { headers: { 'WWW-Authenticate': CHALLENGE + reason } });

const BEARER = /^bearer +(.+)$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1). The scheme may be in any case (RFC 9110 section 11.1). Undefined
 * if there is no such header, or if it has another scheme. Node joins two such headers by a comma, and keys never contain a comma.
 */
export const bearerCredential = ({ headers }: IncomingMessage): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];
