import { type ArgumentsHost, Catch, type ExceptionFilter, mixin, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { ErrorFilter } from '../errors/error.filter.js';
import type { Deprecation } from './deprecation.js';
import { DeprecationHeaders } from './deprecation-headers.js';

/**
 * The error filter of one deprecated operation: its headers stand on refusals too, also on those of guards, which answer
 * before any interceptor. A class for each operation, because Nest does not tell a filter which handler it answers for.
 */
export function deprecationFilter(deprecation: Deprecation): Type<ExceptionFilter> {
  @Catch()
  class DeprecationFilter extends ErrorFilter {
    constructor(private readonly headers: DeprecationHeaders) {
      super();
    }

    override catch(error: unknown, host: ArgumentsHost): void {
      const response = host.switchToHttp().getResponse<Response>();
      if (!response.headersSent) this.headers.announce(response, deprecation);
      super.catch(error, host);
    }
  }
  return mixin(DeprecationFilter);
}
