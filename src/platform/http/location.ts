import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Int64 } from '../../kernel/int64.js';
import { type Deprecation, Deprecations } from './deprecation/deprecation.js';
import { Links } from './links.js';
import { pathOf, requestThrough } from './request-through.js';

/** Sets `Location` to the address of what was created (RFC 9110 section 10.2.2): its id behind the path of the request. */
export type SetLocation = (id: Int64) => void;

@Injectable()
class Locations implements PipeTransform<Request, SetLocation> {
  constructor(
    private readonly links: Links,
    private readonly deprecations: Deprecations,
  ) {}

  transform(request: Request, { data: end }: ArgumentMetadata): SetLocation {
    return (id) => {
      if (end && this.deprecations.isGone(end as unknown as Deprecation)) return;
      const address = this.links.of(request).beside(`${pathOf(request)}/${id}`);
      request.res!.setHeader('Location', address);
    };
  }
}

/**
 * On a parameter of the handler of a creation: the function that sets `Location`. `end` is the end of the operation that answers at
 * that address, after which there is none.
 */
export const Location = (end?: Deprecation): ParameterDecorator => requestThrough(end, Locations);
