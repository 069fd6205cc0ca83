import { Readable, Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { runCommandLine } from '../../src/command-line.js';
import type { Ending } from './program.js';

/** Runs `petstore` to its end in the process of the test, with `input` on standard input and no terminal. */
export async function petstore(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string | Buffer = '',
): Promise<Ending> {
  const printed = { output: '', stdout: '', stderr: '' };
  const into = (stream: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        printed.output += chunk.toString();
        printed[stream] += chunk.toString();
        done();
      },
    });
  const terminal = {
    env: environment,
    stdin: Readable.from([input]),
    stdout: into('stdout'),
    stderr: into('stderr'),
  };
  const code = await runCommandLine(args, terminal);
  // Nest keeps one logger for all applications of a process: what comes now is no business of this command.
  Logger.overrideLogger(false);
  return { code, ...printed };
}
