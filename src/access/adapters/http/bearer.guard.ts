import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiException } from '../../../platform/http/errors/api-exception.js';
import { IS_PUBLIC, SCOPE } from '../../../platform/http/route.decorators.js';
import { ApiKeyService } from '../../application/api-key-service.js';
import type { ApiKey } from '../../domain/api-key.js';
import { CredentialCheck } from './credential-check.js';
import { bearerCredential, CHALLENGE, setApiKey } from './credentials.js';

const MISSING = 'Send your API key in the header "Authorization: Bearer <API key>".';

/** Requires a good API key that has the scope of the operation. It runs before any body is read. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly check: CredentialCheck,
    private readonly reflector: Reflector,
  ) {}

  /** A cached key is checked without a promise: creating one would cost more than all the checks. */
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

  #authenticate(request: Request, credential: string): Promise<ApiKey> {
    const lookUp = () => this.apiKeys.authenticate(credential);
    return this.check.verify(request, this.apiKeys.isKnown(credential), lookUp);
  }
}

function insufficientScope(scope: string): ApiException {
  const message = `The API key may not do this. Ask the operator of this service for one with the scope ${scope}.`;
  return refusal('insufficient_scope', message, `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`);
}

function refusal(code: 'missing_api_key' | 'insufficient_scope', message: string, challenge: string) {
  return new ApiException(code, message, { headers: { 'WWW-Authenticate': challenge } });
}
