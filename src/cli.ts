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

const code = await runCommandLine(process.argv.slice(2), terminal);
// At its end, whatever a database that does not answer keeps open; not before what was printed is with its reader.
stderr.write('', () => stdout.write('', () => process.exit(code)));
