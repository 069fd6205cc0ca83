/** Invisible characters that change how the rest is displayed, such as its direction (Unicode TR 36, section 3). */
const UNSEEN = String.raw`(?!\p{VS})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]`;
const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');
const UNSEEN_IN_LINES = new RegExp(String.raw`(?!\n)${UNSEEN}`, 'gu');

/** Replaces invisible characters, so that a text can neither move the cursor of a terminal nor reorder the text beside it. */
export const printable = (text: string): string => text.replaceAll(EACH_UNSEEN, '\ufffd');

/** Escapes invisible characters as JSON does, so that lines of JSON keep their meaning on a terminal. */
export const printableLines = (lines: string): string => lines.replaceAll(UNSEEN_IN_LINES, escaped);

const escaped = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
