import { describe, expect, it } from 'vitest';
import { Turns } from '../../../../src/platform/database/turns.js';

/** Work that ends when the test says so. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

describe('taking turns', () => {
  it('lets nobody begin before everybody earlier has ended', async () => {
    const turns = new Turns();
    const diary: string[] = [];
    const [first, second] = [work(), work()];
    const act = (name: string, { ended }: { ended: Promise<void> }) =>
      turns.take(async () => {
        diary.push(`${name} begins`);
        await ended;
        diary.push(`${name} ends`);
      });
    const all = [act('first', first), act('second', second)];
    second.end();
    first.end();
    await Promise.all(all);
    expect(diary).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('is in the order of coming', async () => {
    const turns = new Turns();
    const served: number[] = [];
    await Promise.all([1, 2, 3, 4, 5].map((number) => turns.take(async () => void served.push(number))));
    expect(served).toEqual([1, 2, 3, 4, 5]);
  });

  it('gives everybody the result of their own work', async () => {
    const turns = new Turns();
    const results = await Promise.all(['cat', 'dog'].map((pet) => turns.take(() => Promise.resolve(pet))));
    expect(results).toEqual(['cat', 'dog']);
  });

  it('tells who failed, and goes on with the next', async () => {
    const turns = new Turns();
    const failing = turns.take(() => Promise.reject(new Error('dropped the bowl')));
    const next = turns.take(() => Promise.resolve('fed'));
    await expect(failing).rejects.toThrow('dropped the bowl');
    expect(await next).toBe('fed');
  });

  it('goes on even when work fails before it begins', async () => {
    const turns = new Turns();
    const failing = turns.take(() => {
      throw new Error('no bowl');
    });
    await expect(failing).rejects.toThrow('no bowl');
    expect(await turns.take(() => Promise.resolve('fed'))).toBe('fed');
  });
});
