import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';
// @ts-expect-error -- the package has no types
import { compile as untyped } from 'proxy-addr';

const compile = untyped as (trust: string[]) => (address: string, hop: number) => boolean;

/** Whether an address belongs to a trusted proxy, by Express' setting `trust proxy`. */
export function trustedProxies(trust: boolean | number | string): (address: string) => boolean {
  if (typeof trust !== 'string') return () => Number(trust) > 0;
  const isTrusted = compile(trust.split(/ *, */));
  return (address) => isTrusted(address, 0);
}

/** Some proxies add the port to the address that they report. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

/**
 * The network of one client: an IPv4 address, or the /64 of an IPv6 address (RFC 6177 section 2). Empty for a text that is no
 * address: it may come from the client, through a proxy that passes on what it gets.
 */
export function networkOf(text: string): string {
  const [, inBrackets, plain] = WITH_PORT.exec(text) ?? [];
  const address = inBrackets ?? plain ?? text;
  if (isIP(address) === 0) return '';
  const mapped = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(mapped)) return mapped;
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

/** The network of a request's client; the same one for all clients without a known address. */
export const networkOfClient = (request: Request) => networkOf(request.ip ?? '');
