// npm run generate:module. Starts the process that does the work, and cleans up after that process, however it ends.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { clearUp } from './journal.js';

const ROOT = resolve(import.meta.dirname, '../..');

// The process gets a new session, so that it completes its work even if this process is killed with its group.
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
