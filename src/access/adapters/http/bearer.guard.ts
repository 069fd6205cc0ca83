import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiException } from '../../../platform/http/errors/api-exception.js';
import { keyLookedUp } from '../../../platform/http/http-channels.js';
import { IS_PUBLIC, SCOPE } from '../../../platform/http/route.decorators.js';
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
    private readonly reflector: Reflector,
  ) {}

  /** A cached key is checked without a promise: creating one would cost more than all the checks. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]))
      return true;

    const credential = bearerCredential(context.switchToHttp().getRequest<Request>());
    if (credential === undefined) throw refusal('missing_api_key', MISSING, '');
    const cached = this.apiKeys.authenticateFromCache(credential);
    if (!cached) return this.#lookUp(credential, context);
    keyLookedUp.publish('hit');
    return this.#authorize(cached, context);
  }

  async #lookUp(credential: string, context: ExecutionContext): Promise<true> {
    keyLookedUp.publish('miss');
    const key = await this.apiKeys.authenticate(credential);
    if (!key) throw refusal('invalid_api_key', INVALID, ', error="invalid_token"');
    return this.#authorize(key, context);
  }

  #authorize(key: ApiKey, context: ExecutionContext): true {
    const scope = this.reflector.get<string | undefined>(SCOPE, context.getHandler());
    if (scope !== undefined && !key.mayDo(scope)) throw insufficientScope(scope);
    setApiKey(context.switchToHttp().getRequest<Request>(), key);
    return true;
  }
}

function insufficientScope(scope: string): ApiException {
  const message = `The API key may not do this. Ask the operator of this service for one with the scope ${scope}.`;
  return refusal('insufficient_scope', message, `, error="insufficient_scope", scope="${scope}"`);
}

function refusal(
  code: 'missing_api_key' | 'invalid_api_key' | 'insufficient_scope',
  message: string,
  reason: string,
): ApiException {
  return new ApiException(code, message, { headers: { 'WWW-Authenticate': CHALLENGE + reason } });
}
