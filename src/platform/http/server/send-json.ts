import { hash } from 'node:crypto';
import type { Response } from 'express';
import fresh from 'fresh';
import { JSON_MEDIA_TYPE, writeJson } from '../../json/write-json.js';

/** The entity tag of some content. It is weak if equal content may have different bytes, as for a list. */
export function entityTag(content: string | Buffer, weak: boolean): string {
  const tag = `"${hash('sha1', content, 'base64url')}"`;
  return weak ? `W/${tag}` : tag;
}

interface JsonText {
  readonly text: string;
  tag?: string;
}

/**
 * The property with the JSON text of a body that is sent more than once. It is not enumerable, so copying and writing skip it. A
 * WeakMap that changes with each request would keep requests alive (docs/decisions/0052-shared-work.md).
 */
const TEXT = Symbol('text');

/** Stores the JSON text of a body that requests share, or that is sent again. The body must not change after that. */
export function keepText(body: object, text: string): void {
  Object.defineProperty(body, TEXT, { value: { text } satisfies JsonText });
}

const TYPE_OF_TEXT = 'text/plain; charset=utf-8';
/** On which headers the response of a public operation depends, and the response of an operation that needs a key. */
const VARY = { public: 'Accept', keyed: 'Authorization, Accept' };

/** Whether a response of this status has no content, type and length (RFC 9110 sections 8.6, 15.2, 15.3.5, 15.3.6, 15.4.5). */
export const isWithoutContent = (status: number): boolean => status < 200 || [204, 205, 304].includes(status);

/**
 * Sends a whole response. `needsKey` says whether the operation checks the key of the client: the proxy of `deploy/` learns from `Vary`
 * that a key is valid. Data is sent as JSON with exact integers, and a string is sent unchanged. The response has no body for undefined, null,
 * and a status without content. Responses to GET, HEAD and PATCH have an entity tag (RFC 9110 section 8.8.3). If the client already has
 * the content, the response to GET and HEAD is 304 (section 13.1.2).
 */
export function sendJson(response: Response, body: unknown, needsKey: boolean): void {
  setCaching(response, needsKey);
  if (isWithoutContent(response.statusCode)) {
    sendNothing(response);
    return;
  }
  if (body === undefined || body === null) {
    response.end();
    return;
  }
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', typeof body === 'string' ? TYPE_OF_TEXT : JSON_MEDIA_TYPE);

  const kept = (body as { readonly [TEXT]?: JsonText })[TEXT];
  const text = kept?.text ?? (typeof body === 'string' ? body : writeJson(body));
  if (response.statusCode === 200 && (isRead(response) || response.req.method === 'PATCH')) {
    // A handler may have set a better tag.
    const given = response.getHeader('ETag') as string | undefined;
    const tag = given ?? kept?.tag ?? entityTag(text, Array.isArray(body));
    if (kept && given === undefined) kept.tag = tag;
    response.setHeader('ETag', tag);
    if (isKnown(response, tag)) {
      sendNotModified(response);
      return;
    }
  }
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Sets the headers that say who may store a response, unless the handler has set them. */
export function setCaching(response: Response, needsKey: boolean): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  // CORS may have set the header already, with Origin.
  const vary = needsKey ? VARY.keyed : VARY.public;
  if (response.hasHeader('Vary')) response.vary(vary);
  else response.setHeader('Vary', vary);
}

export const isRead = ({ req: { method } }: Response): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether the client of a read already has the content with this tag. The comparison is weak (section 8.8.3.2), and ignores the
 * `Cache-Control: no-cache` that `fetch` adds.
 */
export function isKnown(response: Response, tag: string): boolean {
  const known = response.req.headers['if-none-match'];
  return isRead(response) && known !== undefined && fresh({ 'if-none-match': known }, { etag: tag });
}

export function sendNotModified(response: Response): void {
  response.statusCode = 304;
  sendNothing(response);
}

/** A handler may have set a type, a length and the name of a file. */
export function sendNothing(response: Response): void {
  for (const name of ['Content-Type', 'Content-Disposition']) response.removeHeader(name);
  // A client reads 205 to its end, as any other response (RFC 9112 section 6.3).
  if (response.statusCode === 205) response.setHeader('Content-Length', 0);
  else response.removeHeader('Content-Length');
  response.end();
}
