import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Rate } from '../../../kernel/rate.js';
import { CHALLENGE, insufficientScope, setCaller } from '../../../platform/http/caller.js';
import { ApiException } from '../../../platform/http/errors/api-exception.js';
import { channel } from '../../../platform/observability/channel.js';
import { Routes } from '../../../platform/http/routes.js';
import { countHeader } from '../../../platform/http/server/request-line.js';
import { AccessSettings } from '../../access.settings.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import type { ApiKey } from '../../domain/api-key.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

/** Whether a key was in the cache, or was looked up in the database. */
export const keyLookedUp = channel<'hit' | 'miss'>('access.key-looked-up');

export const rateExceeded = channel<void>('access.rate-exceeded');

/** Requires a good API key that has the scope of the operation. It runs before any body is read. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly routes: Routes,
    private readonly apiKeys: ApiKeyService,
  ) {}

  /** A cached key is checked without a promise: creating one would cost more than all the checks. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.routes.of(context).isPublic) return true;
    const credential = bearerCredential(context.switchToHttp().getRequest<Request>());
    if (credential === undefined) throw refusal('missing_api_key', '');
    const cached = this.apiKeys.authenticateFromCache(credential);
    if (!cached) return this.#lookUp(credential, context);
    keyLookedUp.publish('hit');
    return this.#authorize(cached, context);
  }

  async #lookUp(credential: string, context: ExecutionContext): Promise<true> {
    keyLookedUp.publish('miss');
    const key = await this.apiKeys.authenticate(credential);
    if (!key) throw refusal('invalid_api_key', ', error="invalid_token"');
    return this.#authorize(key, context);
  }

  #authorize(key: ApiKey, context: ExecutionContext): true {
    const { scope } = this.routes.of(context);
    if (scope !== undefined && !key.mayDo(scope)) throw insufficientScope(scope);
    setApiKey(context.switchToHttp().getRequest<Request>(), key);
    return true;
  }
}

const refusal = (code: 'missing_api_key' | 'invalid_api_key', reason: string) =>
  new ApiException(code, undefined, { headers: { 'WWW-Authenticate': CHALLENGE + reason } });

const BEARER = /^bearer +(.+)$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), the scheme in any case (RFC 9110 section 11.1); undefined if
 * there is no such header or it has another scheme. For two such headers it is a text that no key has.
 */
export function bearerCredential({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && countHeader('authorization', rawHeaders) > 1 ? '' : token;
}

const KEY = Symbol('key');

type Authenticated = Request & { [KEY]?: ApiKey };

/** Stores on the request the key that it was authenticated with. */
function setApiKey(request: Request, key: ApiKey): void {
  (request as Authenticated)[KEY] = key;
  setCaller(request, String(key.props.id), key);
}

/** The key of the request; undefined on routes that need none. */
function apiKeyOf(request: Request): ApiKey | undefined {
  return (request as Authenticated)[KEY];
}

/** Limits each key to its own rate, or to the rate of the service. Costs nothing if neither is set. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(
    private readonly counter: RateCounter,
    private readonly settings: AccessSettings,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const key = apiKeyOf(http.getRequest<Request>());
    const rate = key?.props.rate ?? this.settings.rateLimit;
    return (
      key === undefined || rate === undefined || this.#keep(rate, key.props.id, http.getResponse<Response>())
    );
  }

  async #keep(rate: Rate, id: bigint, response: Response): Promise<boolean> {
    const usage = await this.counter.take(String(id), rate);
    setRateLimitHeaders(response, rate, usage);
    if (usage.admitted) return true;
    rateExceeded.publish();
    const wait = secondsUntil(usage.resetIn);
    throw new ApiException('rate_limited', `The API key has used up its rate. Try again in ${wait} s.`, {
      headers: { 'Retry-After': String(wait) },
    });
  }
}

/** In seconds, rounded up, so that a client that waits this long is not too early. */
const secondsUntil = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1_000));

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. */
function setRateLimitHeaders(
  response: Response,
  { limit, seconds }: Rate,
  { remaining, resetIn }: Usage,
): void {
  response.setHeader('RateLimit-Policy', `"key";q=${limit};w=${seconds}`);
  response.setHeader('RateLimit', `"key";r=${Math.max(0, remaining)};t=${secondsUntil(resetIn)}`);
}
