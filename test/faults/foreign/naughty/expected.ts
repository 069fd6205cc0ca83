/** The error codes of a refused name, by the rule of docs/decisions/0002-texts.md; none for an accepted one. */
export function codesOf(name: string): string[] {
  const codes: string[] = [];
  const points = [...name];
  if (points.some((point) => /^[\ud800-\udfff]$/.test(point))) codes.push('malformed_text');
  else if (points.every(isInvisible)) codes.push('blank');
  if (points.some(isControl)) codes.push('control_character');
  if (points.length > 255) codes.push('too_long');
  return codes;
}

function isControl(point: string): boolean {
  const code = point.codePointAt(0)!;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/** Blanks, format characters and fillers. */
const isInvisible = (point: string): boolean =>
  isControl(point) || /^[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u.test(point);
