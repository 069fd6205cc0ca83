import type { ApiResponse } from './response.js';

const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g;

/**
 * The address that the `Link` header (RFC 8288) of an answer gives for a relation, resolved against the address that was
 * asked. Undefined if there is none.
 */
export function linked({ headers, url }: ApiResponse, relation: string): URL | undefined {
  for (const [, address = '', parameters = ''] of (headers.get('link') ?? '').matchAll(LINK)) {
    if (relationsIn(parameters).includes(relation) && URL.canParse(address, url.href))
      return new URL(address, url);
  }
  return undefined;
}

/** Of several `rel` parameters only the first counts; it may name several relations. */
function relationsIn(parameters: string): string[] {
  for (const [, name, quoted, token] of parameters.matchAll(PARAMETER)) {
    if (name?.toLowerCase() === 'rel') return (quoted ?? token ?? '').toLowerCase().split(/\s+/);
  }
  return [];
}
