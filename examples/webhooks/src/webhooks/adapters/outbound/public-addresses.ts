import { lookup } from 'node:dns';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';

/** @param ranges in the form of CIDR, between spaces */
function blockList(family: 'ipv4' | 'ipv6', ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/**
 * The ranges that are not public, by the special-purpose registries of IANA (RFC 6890), and multicast. Each family has its own list,
 * because a list compares an IPv4 address with ranges of IPv6, too. Only 2000::/3 is public in IPv6. So an address that contains an
 * IPv4 address, such as ::ffff:127.0.0.1, is not public.
 */
const NOT_PUBLIC = {
  ipv4: blockList(
    'ipv4',
    `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
     192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`,
  ),
  ipv6: blockList('ipv6', '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20'),
};

export function isPublic(address: string): boolean {
  // The zone of an address such as fe80::1%eth0 is not part of its range.
  const [plain = ''] = address.split('%');
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
  return !NOT_PUBLIC[family].check(plain, family);
}

export const notPublic = () => new Error('its address is not public');

/**
 * Finds the addresses of a host for one connection. A check before the request would look the host up twice, and the owner of the
 * host may return another address the second time.
 */
export const lookupPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const addresses = found.filter(({ address }) => isPublic(address));
    const [first] = addresses;
    if (!first) return done(notPublic(), []);
    if (options.all) return done(null, addresses);
    return done(null, first.address, first.family);
  });
