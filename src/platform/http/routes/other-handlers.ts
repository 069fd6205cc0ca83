import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BadConfiguration } from '../../config/settings.js';
import { MARKS } from './route.decorators.js';

/** The metadata that @nestjs/websockets and @nestjs/graphql store on a gateway and on a resolver. */
const OF_OTHER_HANDLERS = ['websockets:is_gateway', 'graphql:resolver_name'];

/**
 * Finds gateways and resolvers, which the service does not protect. A socket opens, and a query is parsed, before any guard runs. Only
 * an HTTP request has the key that the guards check.
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
