import { hash } from 'node:crypto';
import type { Response } from 'express';
import fresh from 'fresh';
import { writeJson } from '../../json/write-json.js';

/** The entity tag of some content; weak if equal content may have different bytes, as for a list. */
export function entityTag(content: string, weak: boolean): string {
  const tag = `"${hash('sha1', content, 'base64url')}"`;
  return weak ? `W/${tag}` : tag;
}

interface JsonText {
  readonly text: string;
  tag?: string;
}

/**
 * The property with the JSON text of a body that is sent more than once; not enumerable, so that copying and writing skip it.
 * (A WeakMap that changes with each request would keep requests alive: docs/decisions/0052-shared-work.md.)
 */
const TEXT = Symbol('text');

/** Stores the JSON text of a body that requests share, or that is sent again. The body must not change any more. */
export function keepText(body: object, text: string): void {
  Object.defineProperty(body, TEXT, { value: { text } satisfies JsonText });
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const VARY = 'Authorization, Accept';

/** Whether an answer of this status has neither content nor its type and length (RFC 9110 sections 8.6, 15.2, 15.3.5, 15.3.6, 15.4.5). */
export const isWithoutContent = (status: number): boolean => status < 200 || [204, 205, 304].includes(status);

/**
 * Sends a whole answer: data as JSON with exact integers, a string as it is, or no body for undefined and null and for a status without
 * content. The answer to
 * GET and HEAD has an entity tag, or is 304 if the client already has it, and so has the result of a PATCH (RFC 9110 sections 8.8.3 and 13.1.2).
 */
export function sendJson(response: Response, body: unknown): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  // CORS may have added Origin already.
  if (response.hasHeader('Vary')) response.vary(VARY);
  else response.setHeader('Vary', VARY);
  if (isWithoutContent(response.statusCode)) {
    sendNothing(response);
    return;
  }
  if (body === undefined || body === null) {
    response.end();
    return;
  }
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', typeof body === 'string' ? TEXT_TYPE : JSON_TYPE);

  const kept = (body as { readonly [TEXT]?: JsonText })[TEXT];
  const text = kept?.text ?? (typeof body === 'string' ? body : writeJson(body));
  const { method, headers } = response.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (response.statusCode === 200 && (isRead || method === 'PATCH')) {
    // A handler may have set a better one.
    const given = response.getHeader('ETag') as string | undefined;
    const tag = given ?? kept?.tag ?? entityTag(text, Array.isArray(body));
    if (kept && given === undefined) kept.tag = tag;
    response.setHeader('ETag', tag);
    const known = headers['if-none-match'];
    // By weak comparison (section 8.8.3.2), ignoring the `Cache-Control: no-cache` that `fetch` adds.
    if (isRead && known !== undefined && fresh({ 'if-none-match': known }, { etag: tag })) {
      response.statusCode = 304;
      sendNothing(response);
      return;
    }
  }
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** A handler may have set a type and a length. */
function sendNothing(response: Response): void {
  response.removeHeader('Content-Type');
  // A client reads 205 like any other answer, to its end (RFC 9112 section 6.3).
  if (response.statusCode === 205) response.setHeader('Content-Length', 0);
  else response.removeHeader('Content-Length');
  response.end();
}
