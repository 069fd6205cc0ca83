import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/**
 * Adds the variables of the file `.env`, if it exists, to the environment. Variables that are set already keep their values.
 * @returns one sentence for each mistake in the file, without the content of the file, which may be secret
 */
export function loadEnvFile(environment: NodeJS.ProcessEnv, file = '.env'): string[] {
  let text: string;
  try {
    // The decoder removes a byte order mark, which is not part of the text.
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replaceAll('\r\n', '\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : [`.env: ${UNREADABLE[code!] ?? `cannot be read (${code})`}`];
  }
  // A NUL means that the file is UTF-16 without a byte order mark.
  if (text.includes('\0')) return [`.env: ${NOT_UTF_8}`];
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value;
  return mistakesIn(text);
}

const NOT_UTF_8 = 'is not encoded in UTF-8; save it in that encoding';

const UNREADABLE: Readonly<Record<string, string>> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: NOT_UTF_8,
  EISDIR: 'is a folder; put a file in its place, or remove it',
};

/** A value in quotes, which may span several lines. */
const QUOTED = /^([ \t]*(?:export\s+)?[^\s=#]+[ \t]*=[ \t]*)(["'`])[^]*?\2/gm;

/** Finds lines that Node would skip, and values that Node would cut. */
function mistakesIn(text: string): string[] {
  const mistakes: string[] = [];
  let number = 1;
  for (const line of text.replaceAll(QUOTED, (value) => value.replaceAll('\n', '\r')).split('\n')) {
    const mistake = mistakeIn(line);
    if (mistake) mistakes.push(`.env: line ${number} ${mistake}`);
    number += line.split('\r').length;
  }
  return mistakes;
}

function mistakeIn(line: string): string | undefined {
  if (/^\s*(?:#|$)/.test(line)) return undefined;
  const [, value] = /^\s*(?:export\s+)?[^\s=#]+\s*=\s*([^]*)$/.exec(line) ?? [];
  if (value === undefined) return 'is neither NAME=value nor a comment, which begins with #';
  if (/^["'`]/.test(value))
    return /^(["'`])[^]*?\1\s*(?:#.*)?$/.test(value) ? undefined : 'does not end with its quote';
  const isCut = !value.startsWith('#') && /^(?:(?!\s#).)*\S#/.test(value);
  return isCut ? 'has a # in its value, which would begin a comment; put the value in quotes' : undefined;
}
