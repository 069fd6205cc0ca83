// Outlives the tests: see keeper.ts. It reads what to track from standard input, and cleans up when that closes.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const processes = new Set();
const folders = new Set();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [, sign, kind, what] = /^([+-])(process|folder) (.*)$/.exec(line) ?? [];
    const kept = kind === 'process' ? processes : folders;
    if (sign === '+') kept.add(what);
    else kept.delete(what);
  })
  .on('close', () => {
    for (const pid of processes) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has already exited.
      }
    }
    // Killed processes may still be writing for a moment.
    setTimeout(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    }, 200);
  });
