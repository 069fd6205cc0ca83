import { Controller, Get, Header, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../config/settings.js';
import { ApiException } from '../errors/api-exception.js';
import { link, Links } from '../links.js';
import { Public } from '../route.decorators.js';

const YEAR_MS = 365 * 86_400_000;

/** What programs find without knowing the service: addresses of RFC 8615. */
@Public()
@ApiExcludeController()
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class WellKnownController {
  readonly #expires: string;

  constructor(
    private readonly links: Links,
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#expires = new Date(clock.now() + YEAR_MS).toISOString();
  }

  /** The APIs of the service as a set of links (RFC 9727 section 4, RFC 9264 section 4.2); HEAD tells them in `Link` (section 2). */
  @Get('api-catalog')
  @Header('Content-Type', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
  catalog(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const base = this.links.of(request);
    response.setHeader('Link', link(base.beside('/.well-known/api-catalog'), 'api-catalog'));
    const to = (path: string, type: string) => [{ href: base.beside(path), type }];
    const context = {
      anchor: base.text,
      'service-desc': to('/openapi.json', 'application/json'),
      'service-doc': to('/docs', 'text/html'),
      status: to('/readyz', 'application/json'),
    };
    return { linkset: [context] };
  }

  /** Whom to tell of a weakness (RFC 9116 section 2.5). */
  @Get('security.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  security(@Req() request: Request): string {
    const { securityContact } = this.settings;
    if (securityContact === undefined)
      throw new ApiException('route_not_found', 'No contact is configured. GET / lists what is here.');
    const address = this.links.of(request).beside('/.well-known/security.txt');
    // The field must be the address by which the file is reached over TLS.
    const canonical = address.startsWith('https://') ? [`Canonical: ${address}`] : [];
    const fields = [`Contact: ${securityContact}`, `Expires: ${this.#expires}`, ...canonical];
    return `${fields.join('\n')}\nPreferred-Languages: en\n`;
  }
}
