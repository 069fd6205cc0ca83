/** What a key may do, as an area and whether it only looks: `pets:read`. The operations name the scopes they ask for. */
export type Scope = string;

const FORM = /^[a-z][a-z0-9-]{0,30}:(?:read|write)$/;

export function isScope(text: string): boolean {
  return FORM.test(text);
}
