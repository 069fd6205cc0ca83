import type { ApiResponse } from './response.js';

const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g;

/**
 * The URL of a relation in the `Link` header (RFC 8288) of a response, resolved against the URL of the request. Undefined if
 * there is none.
 */
export function linked({ headers, url }: ApiResponse, relation: string): URL | undefined {
  for (const [, address = '', parameters = ''] of (headers.get('link') ?? '').matchAll(LINK)) {
    if (relationsIn(parameters).includes(relation) && URL.canParse(address, url.href))
      return new URL(address, url);
  }
  return undefined;
}

/** If `rel` occurs several times, only the first one counts. It may name several relations. */
function relationsIn(parameters: string): string[] {
  for (const [, name, quoted, token] of parameters.matchAll(PARAMETER)) {
    if (name?.toLowerCase() === 'rel') return (quoted ?? token ?? '').toLowerCase().split(/\s+/);
  }
  return [];
}
