import type { Problem } from './domain-error.js';

const CONTROL = /\p{Cc}/u;
/** A character that leaves a mark on paper: neither space, nor format control, nor a filler. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * The problems of a text that people read. It has 1 to `maxLength` Unicode code points (AIP-210), at least one of them
 * visible, none a control character, no half of a surrogate pair. One that is absent has none.
 */
export function validateText(field: string, text: string | null | undefined, maxLength: number): Problem[] {
  const problems: Problem[] = [];
  const add = (code: Problem['code'], message: string) => problems.push({ field, code, message });
  if (text === undefined || text === null) return problems;

  if (!text.isWellFormed()) add('malformed_text', 'must be well-formed Unicode, without lone surrogates');
  else if (!VISIBLE.test(text)) add('blank', 'must have at least one visible character');
  if (CONTROL.test(text)) add('control_character', 'must not contain control characters');
  // A code point is one or two UTF-16 units, so most texts need no counting.
  if (text.length > maxLength && [...text].length > maxLength) {
    add('too_long', `must have at most ${maxLength} characters`);
  }
  return problems;
}
