import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BadConfiguration } from '../config/settings.js';
import { MARKS } from './route.decorators.js';

/** What @nestjs/websockets and @nestjs/graphql note on a gateway and on a resolver. */
const OF_OTHER_HANDLERS = ['websockets:is_gateway', 'graphql:resolver_name'];

/**
 * Gateways and resolvers, which the service does not protect: a socket opens, and a query is parsed, before any guard is asked, and
 * only an HTTP request has the key that the guards check.
 */
@Injectable()
export class OtherHandlers {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws BadConfiguration if there is one that is not public */
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
