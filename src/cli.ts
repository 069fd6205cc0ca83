#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { loadEnvFile } from './platform/config/env-file.js';

const { stdin, stdout, stderr } = process;
const terminal = {
  stdin,
  stdout,
  stderr,
  /** Read by whoever needs it, so that `--help` says what it says whatever is wrong with the file `.env`. */
  get env() {
    loadEnvFile();
    return process.env;
  },
};

/** Whatever a database that does not answer keeps open; not before what was printed is with its reader. */
const end = (code: number) => stderr.write('', () => stdout.write('', () => process.exit(code)));

// No `await` here: of `serve`, which never returns, Node would say with code 13 that nobody waits for it any more.
void runCommandLine(process.argv.slice(2), terminal).then(end);
