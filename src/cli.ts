#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { loadEnvFile } from './platform/config/env-file.js';

const { stdin, stdout, stderr } = process;
const terminal = {
  stdin,
  stdout,
  stderr,
  /** Read on demand, so that `--help` works whatever is wrong with the file `.env`. */
  get env() {
    loadEnvFile();
    return process.env;
  },
};

/** Ends the process even if the database keeps connections open, once everything that was printed is flushed. */
const end = (code: number) => stderr.write('', () => stdout.write('', () => process.exit(code)));

// No `await` here: `serve` never returns, and Node would end with code 13 for an unsettled top-level await.
void runCommandLine(process.argv.slice(2), terminal).then(end);
