import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { ApiException } from '../../../platform/http/errors/api-exception.js';
import { IS_PUBLIC, SCOPE } from '../../../platform/http/route.decorators.js';
import { FailedAttempts } from '../../application/failed-attempts.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import type { ApiKey } from '../../domain/api-key.js';
import { bearerCredential, setApiKey } from './credentials.js';

/** RFC 6750 section 3.1: no error code for a request that brought no credential at all. */
const CHALLENGE = 'Bearer realm="petstore"';
const MISSING = 'Send your API key in the header "Authorization: Bearer <API key>".';
const INVALID = 'The API key is not valid. Check it, or ask the operator of this service for another.';

/** Requires a good API key that has the scope of the operation. It runs before any body is read. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly failures: FailedAttempts,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {}

  /** A cached key is checked without a promise, which would cost more than all the checks. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]))
      return true;

    const request = context.switchToHttp().getRequest<Request>();
    const credential = bearerCredential(request);
    if (credential === undefined) throw refusal('missing_api_key', MISSING, CHALLENGE);
    const cached = this.apiKeys.authenticateFromCache(credential);
    if (cached) return this.#authorize(request, cached, context);
    return this.#authenticate(request, credential).then((key) => this.#authorize(request, key, context));
  }

  #authorize(request: Request, key: ApiKey, context: ExecutionContext): true {
    const scope = this.reflector.get<string | undefined>(SCOPE, context.getHandler());
    if (scope !== undefined && !key.mayDo(scope)) throw insufficientScope(scope);
    setApiKey(request, key);
    return true;
  }

  async #authenticate(request: Request, credential: string): Promise<ApiKey> {
    const begunAt = this.clock.now();
    const key = await this.apiKeys.authenticate(credential);
    if (key) return key;
    await this.failures.delayRefusal(request.ip ?? '', begunAt);
    throw refusal('invalid_api_key', INVALID, `${CHALLENGE}, error="invalid_token"`);
  }
}

function insufficientScope(scope: string): ApiException {
  const message = `The API key may not do this. Ask the operator of this service for one with the scope ${scope}.`;
  return refusal('insufficient_scope', message, `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`);
}

function refusal(
  code: 'missing_api_key' | 'invalid_api_key' | 'insufficient_scope',
  message: string,
  challenge: string,
) {
  return new ApiException(code, message, { headers: { 'WWW-Authenticate': challenge } });
}
