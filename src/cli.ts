#!/usr/bin/env node
import { printableLines } from './platform/json/printable.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { load } from './platform/ops/process/load.js';

const { stdin, stdout, stderr, env } = process;

process.on('uncaughtException', (error: unknown) => {
  const reason = (error as Error | null | undefined)?.message ?? String(error);
  stderr.write(
    `petstore: ended by an error that nobody expected: ${printableLines(reason)}. See what it has done before you run it again, and report this.\n`,
  );
  end(1);
});

let unwritten: NodeJS.ErrnoException | undefined;
stdout.on('error', (error) => (unwritten = error));
// Nothing reads standard error, so there is nobody to report its errors to.
stderr.on('error', () => {});

/** Ends the process after everything that was printed is flushed, even if the database keeps connections open. */
function end(code: number): void {
  stdout.write('', (error: NodeJS.ErrnoException | null | undefined) => {
    const { code: why, message } = unwritten ?? error ?? {};
    // A reader that stops early, such as `head`, is not a failure.
    const isFailure = code === 0 && why !== undefined && why !== 'EPIPE';
    if (isFailure) stderr.write(`petstore: what it printed could not be written: ${message}\n`);
    stderr.write('', () => {
      // The process ends itself with the signal, so that the shell sees it. `process.exit` would wait for a pipe that is being
      // read.
      if (code > 128) process.kill(process.pid, code - 128);
      else process.exit(isFailure ? 1 : code);
    });
  });
}

const terminal = { stdin, stdout, stderr, signals: process, env, mistakes: loadEnvFile(env) };
const { runCommandLine } = await load(() => import('./command-line.js'));
// There is no `await` here, because `serve` never returns, and Node would end with code 13 for an unsettled top-level await.
void runCommandLine(process.argv.slice(2), terminal).then(end);
