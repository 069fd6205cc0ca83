import { Injectable, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Int64 } from '../../kernel/int64.js';
import { Links } from './links.js';
import { pathBelowBase, requestThrough } from './request-through.js';

/** Sets `Location` to the address of what was created (RFC 9110 section 10.2.2): its id behind the path of the request. */
export type SetLocation = (id: Int64) => void;

@Injectable()
class Locations implements PipeTransform<Request, SetLocation> {
  constructor(private readonly links: Links) {}

  transform(request: Request): SetLocation {
    return (id) => {
      const address = this.links.of(request).to(`${pathBelowBase(request)}/${id}`);
      request.res!.setHeader('Location', address);
    };
  }
}

/** On a parameter of the handler of a creation: the function that sets `Location`. */
export const Location = (): ParameterDecorator => requestThrough(Locations);
