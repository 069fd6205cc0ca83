import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Rate } from '../../../kernel/rate.js';
import { rateExceeded } from '../../../platform/http/http-channels.js';
import { ApiException } from '../../../platform/http/errors/api-exception.js';
import { AccessSettings } from '../../access.settings.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';
import { apiKeyOf } from './credentials.js';

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
