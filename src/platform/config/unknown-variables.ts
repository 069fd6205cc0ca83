import { readFileSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';

/** A line of a file `.env`: empty, a comment, a variable, or part of a value of several lines. */
const LINE = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=.*)?$/;

/** Unknown variables whose names look like known ones, each with the name that was probably meant. */
export function misspelt(environment: NodeJS.ProcessEnv, known: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of Object.keys(environment)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => distance(name, one) <= Math.min(2, Math.floor(one.length / 4)));
    if (meant !== undefined) found.set(name, meant);
  }
  return found;
}

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
