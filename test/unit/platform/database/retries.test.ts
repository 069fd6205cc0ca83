import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable, DuplicateKey } from '../../../../src/platform/database/errors.js';
import { Retries } from '../../../../src/platform/database/retries.js';

const undone = () => new DatabaseUnavailable(new Error('ER_LOCK_DEADLOCK'), 'conflict');
const tooLate = () => new DatabaseUnavailable(new Error('ER_LOCK_WAIT_TIMEOUT'), 'rolled_back');
const unknown = () => new DatabaseUnavailable(new Error('ECONNRESET'), 'lost');
const hopeless = () => new DatabaseUnavailable(new Error('SQLITE_FULL'), 'full');

/** Work that fails `times` times with this failure, and counts its tries. */
function failing(times: number, failure: () => Error) {
  const work = { tries: 0, run: () => Promise.resolve('') };
  work.run = () => {
    work.tries += 1;
    return work.tries <= times ? Promise.reject(failure()) : Promise.resolve('done');
  };
  return work;
}

describe('work on the database that failed', () => {
  it('is tried again until it is done, if it surely was not', async () => {
    const work = failing(3, undone);
    expect(await new Retries().run('if not executed', work.run)).toBe('done');
    expect(work.tries).toBe(4);
  });

  it('is tried five times at most', async () => {
    const work = failing(9, undone);
    await expect(new Retries().run('if not executed', work.run)).rejects.toThrow(DatabaseUnavailable);
    expect(work.tries).toBe(5);
  });

  it('is not tried again when it may have been done, unless that does no harm', async () => {
    const once = failing(1, unknown);
    await expect(new Retries().run('if not executed', once.run)).rejects.toThrow(DatabaseUnavailable);
    expect(once.tries).toBe(1);
    expect(await new Retries().run('always', failing(1, unknown).run)).toBe('done');
  });

  it.each([
    ['the disk is full', hopeless],
    ['the key is taken', () => new DuplicateKey()],
    ['it has a fault of its own', () => new Error('a bug')],
  ])('is not tried again when %s', async (_, failure) => {
    const work = failing(1, failure);
    await expect(new Retries().run('always', work.run)).rejects.toThrow();
    expect(work.tries).toBe(1);
  });

  it('is tried again for all of many rivals', async () => {
    const retries = new Retries();
    const works = Array.from({ length: 100 }, () => failing(4, undone));
    expect(await Promise.all(works.map(({ run }) => retries.run('if not executed', run)))).toHaveLength(100);
  });

  it('does not give a sick database more to do than a little', async () => {
    const retries = new Retries();
    const works = Array.from({ length: 100 }, () => failing(9, tooLate));
    await Promise.allSettled(works.map(({ run }) => retries.run('if not executed', run)));
    const tries = works.reduce((sum, work) => sum + work.tries, 0);
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThanOrEqual(100 + 20 + 10);
  });
});
