import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BadConfiguration } from '../config/settings.js';
import { MARKS } from './route.decorators.js';

/** The metadata with which @nestjs/websockets and @nestjs/graphql mark a gateway and a resolver. */
const OF_OTHER_HANDLERS = ['websockets:is_gateway', 'graphql:resolver_name'];

/**
 * Checks gateways and resolvers, which the service does not protect. Guards run only after a socket has opened, and after a query was
 * parsed. They check the key of an HTTP request, which a message of a socket does not have.
 */
@Injectable()
export class OtherHandlers {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws BadConfiguration if a gateway or a resolver is not public */
  check(): void {
    const refused = this.discovery.getProviders().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const isOther = OF_OTHER_HANDLERS.some((key) => Reflect.hasMetadata(key, metatype));
      return isOther && Reflect.getOwnMetadata(MARKS.isPublic, metatype) !== true ? [metatype.name] : [];
    });
    if (refused.length === 0) return;
    throw new BadConfiguration(
      `No API key is checked for ${[...new Set(refused)].join(', ')}, because only HTTP requests have one: make it a controller, ` +
        'or put @Public() on the class if it needs no key.',
    );
  }
}
