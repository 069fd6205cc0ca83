import { isIPv4 } from 'node:net';
import type { Request } from 'express';
// @ts-expect-error -- the package has no types
import { compile as untyped } from 'proxy-addr';

const compile = untyped as (trust: string[]) => (address: string, hop: number) => boolean;

/** Whether an address is that of a proxy of ours, as Express takes `trust proxy` for the one that is connected. */
export function trustedProxies(trust: boolean | number | string): (address: string) => boolean {
  if (typeof trust !== 'string') return () => Number(trust) > 0;
  const isTrusted = compile(trust.split(/ *, */));
  return (address) => isTrusted(address, 0);
}

/** What one client has: an address of IPv4, and the /64 of an address of IPv6 (RFC 6177 section 2). */
export function networkOf(address: string): string {
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

/** What the client of a request has; the same for all whose address is not known. */
export const networkOfClient = (request: Request) => networkOf(request.ip ?? '');
