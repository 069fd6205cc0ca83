import { describe, expect, it } from 'vitest';
import { Progress } from '../../../src/pet-files/adapters/cli/progress.js';
import { Recorder } from '../../support/site/recorder.js';

const screenOf = (isTTY: boolean) => Object.assign(new Recorder(() => {}), { isTTY });
const reached = { added: 300, refused: 1 };

describe('the progress of a long command', () => {
  it('is silent where there is no terminal, but for lines', () => {
    const screen = screenOf(false);
    const progress = new Progress(screen, 1_000);
    progress.update(500, reached);
    progress.say('{"record":2}');
    progress.stop();
    expect(screen.text).toBe('{"record":2}\n');
  });

  it('is a bar on a terminal, and lines stay above it', () => {
    const screen = screenOf(true);
    const progress = new Progress(screen, 1_000);
    progress.update(500, reached);
    progress.say('{"record":2}');
    progress.stop();
    const bar = '██████████░░░░░░░░░░ 50% | 300 added, 1 refused';
    expect(screen.text).toBe(`\r\u001b[K${bar}\r\u001b[K{"record":2}\n${bar}\n`);
  });

  it('has no bar where the total is not known', () => {
    const screen = screenOf(true);
    new Progress(screen).update(500, reached);
    expect(screen.text).toBe('\r\u001b[K300 added, 1 refused');
  });
});
