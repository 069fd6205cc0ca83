import { describe, expect, it } from 'vitest';
import { pageOfKey, tableOfKeys, viewOfKey } from '../../../src/access/adapters/cli/key-view.js';
import { ApiKey, type KeyEvent } from '../../../src/access/domain/api-key.js';
import type { Properties } from '../../../src/kernel/index.js';
import { loaded } from '../../support/loaded.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HASH = 'c0ffee'.repeat(10);
const viewWith = (more: Partial<Properties<ApiKey>> = {}) =>
  viewOfKey(loaded(ApiKey, { id: 5n, name: 'shop window', secretHash: HASH, createdAt: NOW, ...more }), NOW);
const full = viewWith({
  id: 12n,
  name: 'till',
  scopes: ['pets:read', 'pets:write'],
  rate: { limit: 600, seconds: 60 },
  createdAt: NOW - 60_000,
  expiresAt: NOW + 3_600_000,
  lastUsedAt: NOW - 1_001,
});

describe('a key on the command line', () => {
  it('shows the terms and the state of the key', () => {
    expect(full).toEqual({
      id: 12,
      name: 'till',
      state: 'active',
      scopes: ['pets:read', 'pets:write'],
      rate: '600/m',
      createdAt: '2026-11-20T11:59:00.000Z',
      expiresAt: '2026-11-20T13:00:00.000Z',
      rotatedAt: null,
      revokedAt: null,
      lastUsedAt: '2026-11-20T11:59:58.999Z',
    });
  });

  it('never shows the hash of its secret', () => {
    const shown = [JSON.stringify(full), tableOfKeys([full]), pageOfKey(full, [])].join();
    expect(shown).toContain('till');
    expect(shown).not.toContain('c0ffee');
    expect(shown.toLowerCase()).not.toMatch(/hash|secret/);
  });
});

describe('the table of keys', () => {
  it('has a line for each key, without frames and colours', () => {
    expect(tableOfKeys([viewWith(), full]).split('\n')).toEqual([
      'ID  NAME         STATE   SCOPES                RATE   EXPIRES           LAST USED',
      '5   shop window  active  all                   -      -                 -',
      '12  till         active  pets:read pets:write  600/m  2026-11-20 13:00  2026-11-20 11:59',
    ]);
  });

  it.each([
    ['猫のお店', 8],
    ['강아지', 6],
    ['🐈🐕', 4],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
  ])('aligns its columns on the screen, where %s is %i places wide', (name, width) => {
    const [head, line, other] = tableOfKeys([viewWith({ name }), viewWith()]).split('\n');
    const places = line!.indexOf('active') - name.length + width;
    expect(head!.indexOf('STATE')).toBe(places);
    expect(other!.indexOf('active')).toBe(places);
  });
});

describe('the page of a key', () => {
  it('has a line for each property, and then a line for each event of the key', () => {
    const events: KeyEvent[] = [
      { keyId: 12n, act: 'issued', actor: 'ann@counter', at: NOW - 60_000 },
      { keyId: 12n, act: 'rotated', actor: 'bob@counter', at: NOW },
    ];
    const lines = pageOfKey(full, events).split('\n');
    expect(lines).toHaveLength(Object.keys(full).length + 3);
    expect(lines.slice(2, 5)).toEqual([
      'state       active',
      'scopes      pets:read pets:write',
      'rate        600/m',
    ]);
    expect(lines.slice(-4)).toEqual([
      'lastUsedAt  2026-11-20T11:59:58.999Z',
      '',
      '2026-11-20T11:59:00.000Z  issued   by ann@counter',
      '2026-11-20T12:00:00.000Z  rotated  by bob@counter',
    ]);
  });
});
