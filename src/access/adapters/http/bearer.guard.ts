import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { HttpRefusal } from '../../../platform/http/errors/http-refusal.js';
import { OPEN } from '../../../platform/http/open.decorator.js';
import { KeyRing } from '../../application/key-ring.js';
import { bearerCredential } from './bearer-credential.js';

/** RFC 6750 section 3.1: no error code for a request that brought no credential at all. */
const CHALLENGE = 'Bearer realm="petstore"';
const MISSING = 'Send your API key in the header "Authorization: Bearer <API key>".';
const INVALID = 'The API key is not valid. Check it, or ask the operator of this service for another.';

/** Lets in who comes with a good API key. It runs before any body is read. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(OPEN, [context.getHandler(), context.getClass()]))
      return true;

    const credential = bearerCredential(context.switchToHttp().getRequest<Request>());
    if (credential === undefined) {
      throw new HttpRefusal('missing_api_key', MISSING, { headers: { 'WWW-Authenticate': CHALLENGE } });
    }
    if (await this.keyRing.recognise(credential)) return true;
    throw new HttpRefusal('invalid_api_key', INVALID, {
      headers: { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
    });
  }
}
