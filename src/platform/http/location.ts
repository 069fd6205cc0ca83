import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Int64 } from '../../kernel/int64.js';
import type { Deprecation } from './deprecation/deprecation.js';
import { Deprecations } from './deprecation/deprecations.js';
import { Links } from './links.js';
import { requestOf } from './request.js';
import { pathOf } from './request-path.js';
import { readsOnlyDeclared } from './routes/route.decorators.js';

/** Sets `Location` to the URL of what was created (RFC 9110 section 10.2.2): the path of the request, followed by this id. */
export type SetLocation = (id: Int64) => void;

interface Creation {
  readonly request: Request;
  /** The deprecation of the operation at the URL of what was created. */
  readonly deprecation: Deprecation | undefined;
}

@Injectable()
class Locations implements PipeTransform<Creation, SetLocation> {
  constructor(
    private readonly links: Links,
    private readonly deprecations: Deprecations,
  ) {}

  transform({ request, deprecation }: Creation): SetLocation {
    return (id) => {
      if (deprecation && this.deprecations.isGone(deprecation)) return;
      const address = this.links.of(request).beside(`${pathOf(request)}/${id}`);
      request.res!.setHeader('Location', address);
    };
  }
}

const creation = createParamDecorator(
  readsOnlyDeclared((deprecation: Deprecation | undefined, context: ExecutionContext): Creation => ({
    request: requestOf(context),
    deprecation,
  })),
);

/**
 * On a parameter of the handler of a creation: the function that sets `Location`. If the operation at that URL is deprecated, pass its
 * deprecation. After its removal, the function does nothing.
 */
export const Location = (deprecation?: Deprecation): ParameterDecorator => creation(deprecation, Locations);
