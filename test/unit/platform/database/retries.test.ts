import { describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, DuplicateKey } from '../../../../src/platform/database/index.js';
import { repeatableOf, Retries } from '../../../support/rooms/database.js';

const undone = () => new DatabaseUnavailable(new Error('ER_LOCK_DEADLOCK'), 'conflict');
const tooLate = () => new DatabaseUnavailable(new Error('ER_LOCK_WAIT_TIMEOUT'), 'rolled_back');
const unknown = () => new DatabaseUnavailable(new Error('ECONNRESET'), 'lost');
const refused = () => new DatabaseUnavailable(new Error('ERRNO_1290 (--read-only)'), 'read_only');
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

describe('work on the database', () => {
  it('is retried until it succeeds, if it was certainly not executed', async () => {
    const work = failing(3, undone);
    expect(await new Retries().run('if not executed', work.run)).toBe('done');
    expect(work.tries).toBe(4);
  });

  it.each([
    ['five times', undone, 5],
    ['twice when changes are rejected, because another host may accept them,', refused, 2],
  ])('is tried %s at most', async (_, failure, most) => {
    const work = failing(9, failure);
    await expect(new Retries().run('if not executed', work.run)).rejects.toThrow(DatabaseUnavailable);
    expect(work.tries).toBe(most);
  });

  it('is not retried when it may have been executed, unless a repetition is harmless', async () => {
    const once = failing(1, unknown);
    await expect(new Retries().run('if not executed', once.run)).rejects.toThrow(DatabaseUnavailable);
    expect(once.tries).toBe(1);
    expect(await new Retries().run('always', failing(1, unknown).run)).toBe('done');
  });

  it.each([
    ['the disk is full', hopeless],
    ['the key is taken', () => new DuplicateKey()],
    ['it has a fault of its own', () => new Error('a bug')],
  ])('is not retried when %s', async (_, failure) => {
    const work = failing(1, failure);
    await expect(new Retries().run('always', work.run)).rejects.toThrow();
    expect(work.tries).toBe(1);
  });

  it('is retried for each of many concurrent callers', async () => {
    const retries = new Retries();
    const works = Array.from({ length: 100 }, () => failing(4, undone));
    expect(await Promise.all(works.map(({ run }) => retries.run('if not executed', run)))).toHaveLength(100);
  });

  it('is retried once for each of twenty calls at a time', async () => {
    const retries = new Retries();
    const works = Array.from({ length: 20 }, () => failing(1, tooLate));
    await Promise.all(works.map(({ run }) => retries.run('if not executed', run)));
    await expect(retries.run('if not executed', failing(1, tooLate).run)).rejects.toThrow(
      DatabaseUnavailable,
    );
  });

  it('adds only a small load of retries to a database that fails', async () => {
    const retries = new Retries();
    const works = Array.from({ length: 100 }, () => failing(9, tooLate));
    await Promise.allSettled(works.map(({ run }) => retries.run('if not executed', run)));
    const tries = works.reduce((sum, work) => sum + work.tries, 0);
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThanOrEqual(100 + 20 + 10);
  });

  it('is not retried after two seconds, when the client has stopped waiting', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const work = failing(9, tooLate);
    const slow = () => {
      vi.advanceTimersByTime(1_001);
      return work.run();
    };
    await expect(new Retries().run('always', slow)).rejects.toThrow(DatabaseUnavailable);
    expect(work.tries).toBe(2);
  });

  it('may be retried once for ten successful calls, after the allowance is used up', async () => {
    const retries = new Retries();
    for (let i = 0; i < 20; i++) await retries.run('always', failing(1, tooLate).run);
    // Twenty successful calls allow two more retries.
    for (let i = 0; i < 2; i++) await retries.run('always', failing(1, tooLate).run);
    await expect(retries.run('always', failing(1, tooLate).run)).rejects.toThrow();
    for (let i = 0; i < 10; i++) await retries.run('always', failing(0, tooLate).run);
    expect(await retries.run('always', failing(1, tooLate).run)).toBe('done');
    await expect(retries.run('always', failing(1, tooLate).run)).rejects.toThrow();
  });
});

describe('work for which another process has the file of the database', () => {
  const busy = () => new DatabaseUnavailable(new Error('SQLITE_BUSY'), 'busy');

  it('is retried for two seconds, however often', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const work = failing(1_000, busy);
    const waiting = () => {
      vi.advanceTimersByTime(50);
      return work.run();
    };
    await expect(new Retries().run('if not executed', waiting)).rejects.toThrow(DatabaseUnavailable);
    expect(work.tries).toBe(41);
  });

  it('takes nothing from the retries of other work', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const retries = new Retries();
    for (let i = 0; i < 50; i++) await retries.run('if not executed', failing(3, busy).run);
    expect(await retries.run('if not executed', failing(3, tooLate).run)).toBe('done');
  });
});

describe('a statement', () => {
  it.each([
    ['SELECT id FROM pets', 'always'],
    ['  (select 1) UNION (SELECT 2)', 'always'],
    ['SHOW TABLES', 'always'],
    ['EXPLAIN SELECT 1', 'always'],
    ['PRAGMA user_version', 'always'],
    ['INSERT INTO pets SELECT 1', 'if not executed'],
    ['UPDATE pets SET name = (SELECT 1)', 'if not executed'],
    ['SELECTED', 'if not executed'],
    ['XSELECT 1', 'if not executed'],
    ['', 'if not executed'],
  ])('may be repeated: %s', (statement, when) => {
    expect(repeatableOf(statement)).toBe(when);
  });
});
