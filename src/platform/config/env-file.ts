import { readFileSync } from 'node:fs';
import { BadConfiguration } from './settings.js';

/**
 * Adds the variables of the file `.env`, if it exists, to the environment; variables that are set already keep their values.
 * @throws BadConfiguration if it cannot be read
 */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new BadConfiguration(`.env: cannot be read (${code})`);
  }
}

/** A line of a file `.env`: empty, a comment, a variable, or part of a value of several lines. */
const LINE = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=.*)?$/;

/** The numbers of the lines of a file `.env` that cannot be parsed; none if there is no file. */
export function strayLines(file: string): number[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return [];
  }
  // A quoted value may span several lines.
  const whole = text.replaceAll(/=\s*(["'`])[^]*?\1/g, (value) => value.replaceAll(/\n/g, '\n#'));
  return whole.split('\n').flatMap((line, i) => (LINE.test(line) ? [] : [i + 1]));
}
