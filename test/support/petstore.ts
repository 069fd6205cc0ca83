import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { MODULES } from '../../src/app.module.js';
import { runCommandLine } from '../../src/command-line.js';
import { logAsBefore } from './logger.js';
import type { Ending } from './program.js';
import { Recorder } from './site/recorder.js';

/**
 * Runs `petstore` to completion in the process of the test, with `input` on standard input, and without a terminal by default.
 * Its standard error includes the warnings of a service in the same process.
 */
export async function petstore(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string | Buffer = '',
  modules = MODULES,
  isTTY = false,
): Promise<Ending> {
  let output = '';
  const note = (text: string) => (output += text);
  const [stdout, stderr] = [new Recorder(note), new Recorder(note)];
  const screen = Object.assign(stderr, { isTTY });
  const stdin = Readable.from([Buffer.from(input)]);
  const terminal = { env: environment, stdin, stdout, stderr: screen, signals: new EventEmitter() };
  const code = await runCommandLine(args, terminal, modules);
  logAsBefore();
  return { code, output, stdout: stdout.text, stderr: stderr.text };
}
