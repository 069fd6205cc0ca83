import { describe, expect, it } from 'vitest';
import { Progress } from '../../../src/pet-files/adapters/cli/progress.js';
import { Recorder } from '../../support/site/recorder.js';

const screenOf = (isTTY: boolean) => Object.assign(new Recorder(() => {}), { isTTY });
const reached = { records: 301, added: 300, refused: 1 };
const refused = { record: 2, problems: [] };
const line = '{"record":2,"problems":[]}\n';

describe('the progress of a long command', () => {
  it('prints nothing without a terminal, except rejected records', () => {
    const screen = screenOf(false);
    const progress = new Progress(screen, 1_000);
    progress.progressed(reached);
    progress.refused(refused);
    progress.stop();
    expect(screen.text).toBe(line);
  });

  it('is a bar on a terminal, and lines appear above it', () => {
    const screen = screenOf(true);
    const progress = new Progress(screen, 1_000, () => 500);
    progress.progressed(reached);
    progress.refused(refused);
    progress.stop();
    const bar = '██████████░░░░░░░░░░ 50% | 300 added, 1 refused';
    expect(screen.text).toBe(`\r\u001b[K${bar}\r\u001b[K${line}${bar}\n`);
  });

  it('has no bar when the total is unknown', () => {
    const screen = screenOf(true);
    new Progress(screen).progressed(reached);
    expect(screen.text).toBe('\r\u001b[K300 added, 1 refused');
  });
});
