import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BASE_PATH } from '../config/base-path.js';
import { Settings } from '../config/settings.js';
import { BaseAddress } from './base-address.js';
import { factsOf } from './request.js';
import { isHost } from './server/request-line.js';

/**
 * Provides the base URL of the links in responses. It comes from the configuration or from a trusted proxy, and never from the
 * header `Host`, because any client can set that header (docs/decisions/0106-absolute-links.md).
 */
@Injectable()
export class Links {
  readonly #trustsProxies: boolean;
  #configured: BaseAddress | undefined;

  constructor(private readonly settings: Settings) {
    this.#trustsProxies = settings.baseUrl === undefined && settings.trustProxy !== false;
  }

  /** The base URL of the links in the response to a request. */
  of(request: IncomingMessage): BaseAddress {
    const facts = factsOf(request);
    if (facts.base !== undefined) return facts.base;
    const forwarded = this.#trustsProxies ? forwardedBase(request as Request) : undefined;
    // PORT may be 0. Then only the connection shows which port the system chose.
    return (facts.base =
      forwarded ?? (this.#configured ??= configuredBase(this.settings, request.socket.localPort)));
  }
}

/** In characters: a name (RFC 1035 section 2.3.4) and a port. */
const MAX_HOST = 261;

/** The base URL that a client requested from a proxy, as the proxy reports it. Undefined if the peer is not a trusted proxy. */
function forwardedBase(request: Request): BaseAddress | undefined {
  const given = request.headers['x-forwarded-host'];
  // `ips` has the addresses of `X-Forwarded-For`. Express leaves it empty unless the setting `trust proxy` trusts the peer.
  if (given === undefined || request.ips.length === 0) return undefined;
  // Not `request.host`, which falls back to the header Host.
  const host = String(given).split(',', 1)[0]!.trim();
  const { protocol } = request;
  const isUsable = host.length <= MAX_HOST && isHost(host) && /^https?$/.test(protocol);
  return isUsable ? new BaseAddress(`${protocol}://${host}${BASE_PATH}`) : undefined;
}

/** The path before the version and before `/docs` that a proxy removes, such as `/petstore`. Empty without such a path. */
export const pathPrefix = ({ baseUrl }: Pick<Settings, 'baseUrl'>): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.slice(0, -BASE_PATH.length);

/** The base URL from the settings alone. `listening` is the port on which the service listens, if it is known. */
export const configuredBase = (
  { baseUrl, host, port }: Pick<Settings, 'baseUrl' | 'host' | 'port'>,
  listening = port,
): BaseAddress => new BaseAddress(baseUrl ?? originOf(host, listening) + BASE_PATH);

/** The addresses that mean all interfaces, in both versions of IP. */
const ALL_INTERFACES = /^(?:[0.]+|[0:]+)$/;

/** Empty if the host does not name a single machine. Then links are paths. */
function originOf(host: string, port: number): string {
  const address = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return ALL_INTERFACES.test(host) || !URL.canParse(address) ? '' : new URL(address).origin;
}
