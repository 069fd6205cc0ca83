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
  const variables = parseEnv(text);
  for (const [name, value] of Object.entries(variables)) environment[name] ??= value;
  return mistakesIn(text, variables);
}

const NOT_UTF_8 = 'is not encoded in UTF-8; save it in that encoding';

const UNREADABLE: Readonly<Record<string, string>> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: NOT_UTF_8,
  EISDIR: 'is a folder; put a file in its place, or remove it',
};

/** A value in quotes, which may span several lines. */
const QUOTED = /^([ \t]*(?:export\s+)?[^\s=#]+[ \t]*=[ \t]*)(["'`])[^]*?\2/gm;

/** A line that begins as a setting does. Inside of a value in quotes, it shows that a quote is missing. */
const SETTING = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=/;
/** The last line of a key or a certificate in base64 is not a setting. */
const BASE64_END = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** A line with its name and its value; the lines of a value in quotes are joined by returns. */
const NAME_AND_VALUE = /^\s*(?:export\s+)?([^\s=#]+)\s*=\s*([^]*)$/;

/** Finds lines that Node would skip, and values that Node would cut or add to another one. */
function mistakesIn(text: string, variables: NodeJS.Dict<string>): string[] {
  const mistakes: string[] = [];
  const unread: string[] = [];
  let number = 1;
  for (const line of text.replaceAll(QUOTED, (value) => value.replaceAll('\n', '\r')).split('\n')) {
    const mistake = mistakeIn(line, number);
    if (mistake) mistakes.push(`.env: line ${number} ${mistake}`);
    else if (isUnread(line, variables)) unread.push(`.env: line ${number} ${UNREAD}`);
    number += line.split('\r').length;
  }
  // After another mistake, Node may misread the next line, too.
  return mistakes.length > 0 ? mistakes : unread;
}

function mistakeIn(line: string, number: number): string | undefined {
  if (/^\s*(?:#|$)/.test(line)) return undefined;
  const [, , value] = NAME_AND_VALUE.exec(line) ?? [];
  if (value === undefined) return 'is neither NAME=value nor a comment, which begins with #';
  const [, ...more] = line.split('\r');
  const hidden = more.findIndex((part) => SETTING.test(part) && !BASE64_END.test(part));
  if (hidden !== -1)
    return `has a value in quotes that contains line ${number + hidden + 1}, which begins like a setting; end the value with its quote`;
  if (/^["'`]/.test(value))
    return /^(["'`])(?:(?!\1)[^])*\1\s*(?:#.*)?$/.test(value) ? undefined : 'does not end with its quote';
  const isCut = !value.startsWith('#') && /^(?:(?!\s#).)*\S#/.test(value);
  return isCut ? 'has a # in its value, which would begin a comment; put the value in quotes' : undefined;
}

/** Node 20 takes an empty line with spaces for a part of the next name. */
const UNREAD = 'is not read by Node; begin it with NAME=, and remove the spaces from empty lines before it';

function isUnread(line: string, variables: NodeJS.Dict<string>): boolean {
  const [, name] = NAME_AND_VALUE.exec(line) ?? [];
  return name !== undefined && !Object.hasOwn(variables, name);
}
