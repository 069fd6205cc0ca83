import { hash } from 'node:crypto';
import fresh from 'fresh';

/** The entity tag of some content; weak where the same text would not have to mean the same bytes for ever, as for a list. */
export function entityTag(content: string | Buffer, weak: boolean): string {
  const tag = `"${hash('sha1', content, 'base64url')}"`;
  return weak ? `W/${tag}` : tag;
}

/**
 * Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 section 8.8.3.2), or any. A `Cache-Control: no-cache`
 * that comes with it, as `fetch` adds, does not matter.
 */
export function isKnownTo(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch }, { etag: tag });
}
