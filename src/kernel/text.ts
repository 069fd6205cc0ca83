import type { Problem } from './domain-error.js';

const CONTROL = /\p{Cc}/u;
/** A visible character: neither a space, nor a format control, nor a filler. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * The number of Unicode code points (AIP-210) that a text may have. If it must not be empty, at least one of them must be
 * visible.
 */
export interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** All problems of a text that people read: control characters, unpaired surrogates, and a length outside the bounds. */
export function textProblems(
  text: string,
  { minLength = 0, maxLength = Infinity }: TextBounds,
): Omit<Problem, 'field'>[] {
  const problems: Omit<Problem, 'field'>[] = [];
  const add = (code: Problem['code'], message: string) => problems.push({ code, message });

  if (!text.isWellFormed()) add('malformed_text', 'must be well-formed Unicode, without lone surrogates');
  else if (minLength > 0 && !VISIBLE.test(text)) add('blank', 'must have at least one visible character');
  else if (text.length < 2 * minLength && [...text].length < minLength) {
    add('too_short', `must have at least ${minLength} characters`);
  }
  if (CONTROL.test(text)) add('control_character', 'must not contain control characters');
  // A code point is one or two UTF-16 units. So most texts, and all very long ones, need no exact count.
  if (text.length > 2 * maxLength || (text.length > maxLength && [...text].length > maxLength)) {
    add('too_long', `must have at most ${maxLength} characters`);
  }
  return problems;
}

/** The problems of a field with a text of 1 to `maxLength` characters. An absent field has no problems. */
export function validateText(field: string, text: string | null | undefined, maxLength: number): Problem[] {
  if (text === undefined || text === null) return [];
  return textProblems(text, { minLength: 1, maxLength }).map((problem) => ({ field, ...problem }));
}
