import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/platform/config/settings.js';

describe('a variable that an earlier version read', () => {
  it.each(['1', '4'])('refuses the start, and says what takes its place: WORKERS=%s', (WORKERS) =>
    expect(() => readSettings({ WORKERS })).toThrow(
      /^WORKERS: no longer exists; .* REUSE_PORT=true, or have a PORT each behind a proxy$/,
    ),
  );

  it('is refused together with the other mistakes', () =>
    expect(() => readSettings({ WORKERS: '2', PORT: 'x' })).toThrow(/^WORKERS: [^\n]+\nPORT: [^\n]+$/));

  it('may be there without a value, as in a file that several versions read', () =>
    expect(readSettings({ WORKERS: '' })).toEqual(readSettings({})));
});
