import { describe, expect, it } from 'vitest';
import { Progress } from '../../../src/pet-files/adapters/cli/progress.js';

function screenOf(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const stream = { isTTY, columns: 120, write, cursorTo: () => true, clearLine: () => true };
  return { stream: stream as unknown as NodeJS.WriteStream, shown: () => written.splice(0).join('') };
}

describe('the progress of a long command', () => {
  it('is a line every five seconds where there is no terminal', () => {
    const screen = screenOf(false);
    let now = 0;
    const progress = new Progress(1_000, screen.stream, false, () => now);
    for (; now <= 9_000; now += 1_000)
      progress.update({ done: now / 10, added: 300 + now / 10, refused: now / 1_000 });
    progress.stop();
    expect(screen.shown()).toBe('800 added, 5 refused, 100/s, 5 s left\n');
  });

  it('is nothing where it would be in the way of JSON', () => {
    const screen = screenOf(false);
    let now = 0;
    const progress = new Progress(1_000, screen.stream, true, () => (now += 10_000));
    progress.update({ done: 1, added: 1, refused: 0 });
    expect(screen.shown()).toBe('');
    progress.say('{"line":2}');
    expect(screen.shown()).toBe('{"line":2}\n');
  });

  it('is a bar on a terminal, with rate and time left, and lines stay above it', () => {
    const screen = screenOf(true);
    let now = 0;
    const progress = new Progress(1_000, screen.stream, false, () => now);
    now = 2_000;
    progress.update({ done: 0, added: 100, refused: 0 });
    progress.say('line 7: is bad');
    progress.update({ done: 500, added: 300, refused: 1 });
    progress.stop();
    const shown = screen.shown();
    expect(shown).toContain('\r\u001b[Kline 7: is bad\n');
    expect(shown).toMatch(/50% \| 300 added, 1 refused \| 100\/s \| 2 s left/);
  });
});
