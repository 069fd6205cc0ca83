import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';

describe('waiting for a condition', () => {
  it('ends when it holds, whatever was thrown before', async () => {
    let tries = 0;
    await eventually(async () => {
      if (++tries === 1) throw new Error('not yet');
      return tries === 3;
    });
    expect(tries).toBe(3);
  });

  it('fails with the last value and the last error, and with the condition itself', async () => {
    let tries = 0;
    const waiting = eventually(async () => {
      if (++tries < 3) throw new Error(`no animal at try ${tries}`);
      return false;
    }, 100);
    await expect(waiting).rejects.toThrow(
      /^This never held: async \(\) => .*tries < 3.*The last value: false\. The last error: Error: no animal at try 2$/s,
    );
  });

  it('fails before its test times out', { timeout: 2_100 }, async () => {
    await expect(eventually(async () => false)).rejects.toThrow('The last value: false');
  });
});
