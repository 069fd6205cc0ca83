import type { Problem } from '../../kernel/domain-error.js';

const MAX_LENGTH = 255;
const CONTROL = /\p{Cc}/u;
/** A character that leaves a mark on paper: neither space, nor format control, nor a filler. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * The problems of a pet's name. The policy asks for 1 to 255 Unicode code points (AIP-210), at least one of
 * them visible, none a control character, no half of a surrogate pair. A good name is kept as it is, byte for byte.
 */
export function validatePetName(name: string): Problem[] {
  const problems: Problem[] = [];
  const add = (code: Problem['code'], message: string) => problems.push({ field: 'name', code, message });

  if (!name.isWellFormed()) add('malformed_text', 'must be well-formed Unicode, without lone surrogates');
  else if (!VISIBLE.test(name)) add('blank', 'must have at least one visible character');
  if (CONTROL.test(name)) add('control_character', 'must not contain control characters');
  // A code point is one or two UTF-16 units, so most names need no counting.
  if (name.length > MAX_LENGTH && [...name].length > MAX_LENGTH) {
    add('too_long', `must have at most ${MAX_LENGTH} characters`);
  }
  return problems;
}
