#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { loadEnvFile } from './platform/config/env-file.js';

const { stdin, stdout, stderr } = process;
const terminal = { stdin, stdout, stderr, env: process.env, mistakes: loadEnvFile(process.env) };

let unwritten: NodeJS.ErrnoException | undefined;
stdout.on('error', (error) => (unwritten = error));
// Nobody reads standard error any more.
stderr.on('error', () => {});

/** Ends the process even if the database keeps connections open, once everything that was printed is flushed. */
function end(code: number): void {
  stdout.write('', (error: NodeJS.ErrnoException | null | undefined) => {
    const { code: why, message } = unwritten ?? error ?? {};
    // A reader that stops early, such as `head`, is not a failure.
    const isFailure = code === 0 && why !== undefined && why !== 'EPIPE';
    if (isFailure) stderr.write(`petstore: what it printed could not be written: ${message}\n`);
    stderr.write('', () => process.exit(isFailure ? 1 : code));
  });
}

// No `await` here: `serve` never returns, and Node would end with code 13 for an unsettled top-level await.
void runCommandLine(process.argv.slice(2), terminal).then(end);
