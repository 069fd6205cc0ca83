import { Injectable, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Int64 } from '../../kernel/int64.js';
import type { Deprecation } from './deprecation/deprecation.js';
import { Deprecations } from './deprecation/deprecations.js';
import { Links } from './links.js';
import { FromRequest } from './request.js';
import { pathOf } from './request-path.js';

/** Sets `Location` to the URL of what was created (RFC 9110 section 10.2.2): the path of the request, followed by this id. */
export type SetLocation = (id: Int64) => void;

@Injectable()
class Locations implements PipeTransform<Request, SetLocation> {
  constructor(
    private readonly links: Links,
    private readonly deprecations: Deprecations,
  ) {}

  /** `data` is the deprecation of the operation at the URL of what was created. */
  transform(request: Request, { data }: { readonly data?: unknown }): SetLocation {
    const deprecation = data as Deprecation | undefined;
    return (id) => {
      if (deprecation && this.deprecations.isGone(deprecation)) return;
      const address = this.links.of(request).beside(`${pathOf(request)}/${id}`);
      request.res!.setHeader('Location', address);
    };
  }
}

/**
 * On a parameter of the handler of a creation: the function that sets `Location`. If the operation at that URL is deprecated, pass its
 * deprecation. After its removal, the function does nothing.
 */
export const Location = (deprecation?: Deprecation): ParameterDecorator =>
  FromRequest(deprecation, Locations);
