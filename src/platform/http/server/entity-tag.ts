import { hash } from 'node:crypto';

/** The entity tag of some content; weak where the same text would not have to mean the same bytes for ever, as for a list. */
export function entityTag(content: string | Buffer, weak: boolean): string {
  const tag = `"${hash('sha1', content, 'base64url')}"`;
  return weak ? `W/${tag}` : tag;
}

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 section 8.8.3.2), or any. */
export function isKnownTo(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((given) => ['*', opaque].includes(given.trim().replace(/^W\//, '')));
}
