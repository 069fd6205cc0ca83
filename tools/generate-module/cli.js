// npm run generate:module. Starts the process that does the work, and clears up behind it, however it ends.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { clearUp } from './journal.js';

const ROOT = resolve(import.meta.dirname, '../..');

// A session of its own: where this process is killed, with its group, the work goes on to its end.
const work = spawn(process.execPath, [join(import.meta.dirname, 'generate.js'), ...process.argv.slice(2)], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => work.kill('SIGKILL'));
work.on('exit', (code, signal) => {
  const outcome = clearUp(ROOT, work.pid);
  if (signal) console.error(`The generator was killed (${signal}). ${outcome}`);
  process.exitCode = code ?? 1;
});
