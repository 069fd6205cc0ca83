import { describe, expect, it } from 'vitest';
import { networkOf, trustedProxies } from '../../../../src/platform/http/client-network.js';

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1:2'],
    ['[2001:db8::6]', '2001:db8:0:0'],
    ['1:2:3:4:5:6:7:8:9', ''],
    ['evil:192.0.2.7', ''],
    ['unknown', ''],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('a proxy that is trusted', () => {
  it.each([
    [false, '127.0.0.1', false],
    [0, '127.0.0.1', false],
    [1, '192.0.2.7', true],
    ['loopback, 10.0.0.0/8', '127.0.0.1', true],
    ['loopback, 10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['loopback, 10.0.0.0/8', '192.0.2.7', false],
  ])('with TRUST_PROXY=%s is %s: %s', (trust, address, isTrusted) => {
    expect(trustedProxies(trust)(address)).toBe(isTrusted);
  });
});
