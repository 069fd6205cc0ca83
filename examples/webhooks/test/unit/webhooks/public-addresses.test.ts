import { describe, expect, it } from 'vitest';
import { isPublic, lookupPublic } from '../../../src/webhooks/adapters/outbound/public-addresses.js';

describe('the addresses to which webhooks may go', () => {
  it.each(
    `0.0.0.0 10.1.2.3 100.64.0.1 127.255.255.255 169.254.169.254 172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1
     198.19.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8
     64:ff9b::a00:1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0
     ff02::1`.split(/\s+/),
  )('do not include %s, which is not public', (address) => expect(isPublic(address)).toBe(false));

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    'include %s, which is public',
    (address) => expect(isPublic(address)).toBe(true),
  );

  const lookup = (host: string, options: object) =>
    new Promise((resolve) =>
      // An address is a host that needs no name server.
      lookupPublic(host, options, (error, ...results) => resolve(error ?? results)),
    );

  it.each([
    ['all addresses', { all: true }, [[{ address: '8.8.8.8', family: 4 }]]],
    ['one address', {}, ['8.8.8.8', 4]],
  ])('are found as %s, in the form that Node.js asks for', async (_, options, found) => {
    expect(await lookup('8.8.8.8', options)).toEqual(found);
  });

  it.each([{ all: true }, {}])(
    'are missing for a host that has other addresses only, with %j',
    async (options) => {
      expect(await lookup('127.0.0.1', options)).toEqual(new Error('its address is not public'));
    },
  );
});
