import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
// @ts-expect-error -- the package has no types
import { compile as untyped } from 'proxy-addr';
import { BASE_PATH } from '../config/base-path.js';
import { Settings } from '../config/settings.js';
import { isHost } from './server/request-line.js';

type Parameters = Readonly<Record<string, string | number | undefined>>;

const compile = untyped as (trust: string[]) => (address: string, hop: number) => boolean;

/** The version of an operation that has another one than the base address, at the beginning of its path. */
const OTHER_VERSION = /^\/v\d+\//;

/** A base address, which ends in the path of the first version; builds addresses below and beside it. */
export class BaseAddress {
  readonly #origin: string;

  constructor(readonly text: string) {
    this.#origin = text.slice(0, -BASE_PATH.length);
  }

  /**
   * The address of an operation by its path below the base address, such as `/pets`; a path of another version begins with that, such
   * as `/v2/pets`. Parameters that are undefined are left out.
   */
  to(path: string, parameters?: Parameters): string {
    return this.beside(OTHER_VERSION.test(path) ? path : BASE_PATH + path, parameters);
  }

  /** The address of a whole path of the service, of any version or none, such as `/v2/pets` or `/docs`. */
  beside(path: string, parameters: Parameters = {}): string {
    const query = textOfParameters(parameters);
    return `${this.#origin}${path}${query && `?${query}`}`;
  }
}

/**
 * Provides the base address for links in answers. It comes from the configuration, and never from the Host header, which
 * anybody can set (docs/decisions/0106-absolute-links.md).
 */
@Injectable()
export class Links {
  readonly #heedsProxies: boolean;
  readonly #isProxy: ReturnType<typeof trustedProxies>;
  #configured: BaseAddress | undefined;

  constructor(private readonly settings: Settings) {
    this.#heedsProxies = settings.baseUrl === undefined && settings.trustProxy !== false;
    this.#isProxy = trustedProxies(settings.trustProxy);
  }

  /** The base address for links in the answer to a request. */
  of(request: IncomingMessage): BaseAddress {
    if (this.#heedsProxies && request.headers['x-forwarded-host'] !== undefined) {
      const forwarded = this.#forwarded(request as Request);
      if (forwarded) return forwarded;
    }
    // PORT may be 0: then the connection shows which port was assigned.
    return (this.#configured ??= configuredBase(this.settings, request.socket.localPort));
  }

  /** The address that a client asked for, as reported by a proxy that `TRUST_PROXY` names. */
  #forwarded(request: Request): BaseAddress | undefined {
    if (!this.#isProxy(request.socket.remoteAddress ?? '')) return undefined;
    // Not `request.host`, which falls back to the header Host.
    const host = String(request.headers['x-forwarded-host']).split(',', 1)[0]!.trim();
    const isAddress = host.length <= MAX_HOST && isHost(host) && /^https?$/.test(request.protocol);
    return isAddress ? new BaseAddress(`${request.protocol}://${host}${BASE_PATH}`) : undefined;
  }
}

/** RFC 1035 section 2.3.4, with a port. */
const MAX_HOST = 261;

/** The path before `/v1` and `/docs` that a proxy strips, such as `/petstore`; empty without one. */
export const pathPrefix = ({ baseUrl }: Pick<Settings, 'baseUrl'>): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.slice(0, -BASE_PATH.length);

/** The base address from the settings alone; `given` is the port that the service listens on, if known. */
export const configuredBase = (
  { baseUrl, host, port }: Pick<Settings, 'baseUrl' | 'host' | 'port'>,
  given = port,
): BaseAddress => new BaseAddress(baseUrl ?? originOf(host, given) + BASE_PATH);

/** The addresses that stand for all interfaces, in both versions of IP. */
const EVERYWHERE = /^(?:[0.]+|[0:]+)$/;

/** Empty if the host names no single machine: then links are paths. */
function originOf(host: string, port: number): string {
  const address = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return EVERYWHERE.test(host) || !URL.canParse(address) ? '' : new URL(address).origin;
}

/** Parameters as one text, which is different for different parameters; without those that are undefined. */
export function textOfParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) text += `${text && '&'}${name}=${encodeURIComponent(value)}`;
  return text;
}

export const link = (address: string, relation: string): string => `<${address}>; rel="${relation}"`;

/** Whether an address belongs to a trusted proxy, by Express' setting `trust proxy`. */
export function trustedProxies(trust: boolean | number | string): (address: string) => boolean {
  if (typeof trust !== 'string') return () => Number(trust) > 0;
  const isTrusted = compile(trust.split(/ *, */));
  return (address) => isTrusted(address, 0);
}
