import express from 'express';
import { describe, expect, it } from 'vitest';
import { BadConfiguration, readSettings } from '../../../../src/platform/config/settings.js';

/** Whether Express, which uses the setting, accepts it. */
const usable = (trustProxy: boolean | number | string): boolean => {
  try {
    express().set('trust proxy', trustProxy);
    return true;
  } catch {
    return false;
  }
};

/** The setting as the configuration reads it; false if it is refused. */
const acceptedProxies = (TRUST_PROXY: string): boolean | number | string => {
  try {
    return readSettings({ TRUST_PROXY }).trustProxy;
  } catch (error) {
    if (error instanceof BadConfiguration) return false;
    throw error;
  }
};

describe('the proxies that are trusted', () => {
  it.each<[string, boolean | number | string]>([
    ['false', false],
    ['0', 0],
    ['1', 1],
    ['loopback', 'loopback'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['loopback, linklocal,uniquelocal', 'loopback, linklocal,uniquelocal'],
  ])('may be %s', (TRUST_PROXY, trusted) => {
    expect(readSettings({ TRUST_PROXY }).trustProxy).toBe(trusted);
    expect(usable(trusted)).toBe(true);
  });

  it.each(['true', 'all', '*', '-1', 'proxy.example', 'loopback,', '0.0.0.0/0;', 'loopback linklocal', ','])(
    'may not be %j: whom to trust must be said',
    (TRUST_PROXY) => {
      expect(() => readSettings({ TRUST_PROXY })).toThrow('TRUST_PROXY: must be false, a number of proxies');
    },
  );

  it.each(['10.0.0.0/99', '10.0.0.256', '10.0.0', 'fd00::/129', '1:2:3', 'cafe', '...', '100', '10.0.0.0/0'])(
    'are refused by the configuration, not by a crash at the start, if they are no addresses: %s',
    (TRUST_PROXY) => {
      expect(usable(acceptedProxies(TRUST_PROXY))).toBe(true);
    },
  );
});
