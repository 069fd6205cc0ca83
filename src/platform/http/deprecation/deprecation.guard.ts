import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Links } from '../links.js';
import type { LeanResponse } from '../server/lean-response.js';
import { DEPRECATION, type Deprecation } from './deprecation.js';
import { Notice } from './notice.js';

/** Writes the notice on every answer of a deprecated operation, first of all guards: refusals carry it too. It lets everybody pass. */
@Injectable()
export class DeprecationGuard implements CanActivate {
  readonly #notices = new Map<Deprecation, Notice>();

  constructor(private readonly links: Links) {}

  canActivate(context: ExecutionContext): true {
    const deprecation = Reflect.getMetadata(DEPRECATION, context.getHandler()) as Deprecation | undefined;
    if (deprecation) this.#noticeOf(deprecation).writeOn(context.switchToHttp().getResponse<LeanResponse>());
    return true;
  }

  #noticeOf(deprecation: Deprecation): Notice {
    let notice = this.#notices.get(deprecation);
    if (!notice) this.#notices.set(deprecation, (notice = new Notice(deprecation, this.links)));
    return notice;
  }
}
