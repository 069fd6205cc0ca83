import type { Request } from 'express';

/** Characters that are neither a `pchar` of RFC 3986 section 3.3 nor a slash, but which Node accepts in a path. */
const NOT_IN_PATH = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/gi;

/** A path as a URI reference, for `instance` (RFC 9457 section 3.1.5). Two slashes would begin a host (RFC 3986 section 4.2). */
const uriReference = (path: string): string =>
  path
    .replaceAll(NOT_IN_PATH, (byte) => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`)
    .replace(/^\/\//, '/.//');

/**
 * The whole path of a request as a URI reference, whatever a client has put into its parameters. It is `/` for a request that is
 * rejected because of its URL, in which Express may find no path, or fail to decode a part.
 */
export function pathOf(request: Request): string {
  try {
    return uriReference((request.path as string | null) ?? '/');
  } catch {
    return '/';
  }
}
